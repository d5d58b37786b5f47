// Connections kept open for one component, never shared with another. A connection is kept under the addresses that
// were checked for it, so a request is never sent over one that its own check would not have chosen.

import { type AgentOptions, type ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';

const OPTIONS: AgentOptions = { keepAlive: true, maxSockets: 32, maxFreeSockets: 4, timeout: 30_000 };

export interface CheckedOptions extends ClientRequestArgs {
  /** The checked addresses, as one text. */
  readonly checked: string;
}

class CheckedHttpAgent extends HttpAgent {
  override getName(options: CheckedOptions): string {
    return `${options.checked}:${super.getName(options)}`;
  }
}

class CheckedHttpsAgent extends HttpsAgent {
  override getName(options: CheckedOptions): string {
    return `${options.checked}:${super.getName(options)}`;
  }
}

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
  close(): void;
}

/** `ca`: further certificate authorities, as PEM, besides those of the system. */
export function createAgents(options: { readonly ca?: readonly string[] } = {}): Agents {
  const http = new CheckedHttpAgent(OPTIONS);
  // Node takes `ca` in place of its own list, not beside it.
  const trusted = options.ca === undefined ? {} : { ca: [...getCACertificates(), ...options.ca] };
  const https = new CheckedHttpsAgent({ ...OPTIONS, ...trusted });
  return {
    http,
    https,
    close() {
      http.destroy();
      https.destroy();
    },
  };
}
