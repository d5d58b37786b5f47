// What is used here of the package, which comes without types.

declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export class Provider {
    constructor(issuer: string, configuration: ProviderConfiguration);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  }

  interface ProviderConfiguration {
    readonly findAccount: (context: unknown, id: string) => object;
    readonly [setting: string]: unknown;
  }
}
