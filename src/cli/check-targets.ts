// Reads from the command line what is to be checked: addresses, commands, and the headers to send to them.

import type { Address } from '../check/link.ts';
import { WitboxError } from '../core/errors.ts';

export interface TargetFlags {
  readonly stdio?: string;
  readonly http?: string;
  readonly sse?: string;
  readonly websocket?: string;
  readonly header?: readonly string[];
}

type NetworkAddress = Exclude<Address, { readonly transport: 'stdio' }>;

export function readTargets(
  args: readonly string[],
  flags: TargetFlags,
  environment: NodeJS.ProcessEnv,
): Address[] {
  const headers = readHeaders('--header', flags.header ?? []);
  const at = (transport: NetworkAddress['transport'], text: string): Address => {
    const url = URL.parse(text);
    if (url === null) throw invalid(`--${transport}`, text, 'an address such as http://localhost:8080/mcp');
    return { transport, url, headers };
  };
  const command = (words: readonly string[]): Address => ({
    transport: 'stdio',
    command: words,
    environment,
  });
  const addresses: Address[] = [];
  const [target] = args;
  if (target !== undefined && args.length === 1 && /^(https?|wss?):/.test(target))
    addresses.push(at(kindOf(target), target));
  else if (target !== undefined) addresses.push(command(args));
  if (flags.stdio !== undefined) addresses.push(command(splitWords(flags.stdio)));
  if (flags.http !== undefined) addresses.push(at('http', flags.http));
  if (flags.sse !== undefined) addresses.push(at('sse', flags.sse));
  if (flags.websocket !== undefined) addresses.push(at('websocket', flags.websocket));
  if (addresses.length === 0)
    throw new WitboxError('usage', { problem: 'Nothing to check', help: 'witbox check --help' });
  return addresses;
}

/** As a shell would, as far as quotes go; nothing is expanded. */
export function splitWords(text: string): string[] {
  const words = text.matchAll(/(?:[^\s"']+|"(?:[^"\\]|\\.)*"|'[^']*')+/g);
  return [...words].map(([word]) =>
    word.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_all, double?: string, single?: string) =>
      double === undefined ? (single ?? '') : double.replace(/\\(["\\])/g, '$1'),
    ),
  );
}

function kindOf(target: string): NetworkAddress['transport'] {
  if (target.startsWith('ws')) return 'websocket';
  return /\/sse\/?$/.test(URL.parse(target)?.pathname ?? '') ? 'sse' : 'http';
}

export function readHeaders(flag: string, texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(':');
      if (colon <= 0) throw invalid(flag, text, 'NAME:VALUE');
      return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
    }),
  );
}

const invalid = (flag: string, value: string, expected: string): WitboxError =>
  new WitboxError('flag-invalid', { flag, value, expected });
