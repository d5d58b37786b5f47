// Adds granted secrets to a request on its way out, after its host has been decided: so that a guest can use what it
// never holds. What the guest set in the same place is dropped. The head with the secret goes to the connection and
// nowhere else; a server that sends it back is the only way in which a guest can see it, so TRACE is not sent with one.

import { HostFailure } from '../../core/port.ts';
import { canonicalHost } from '../../policy/host.ts';
import { fillTemplate, type SecretUse } from '../../policy/secret-rule.ts';
import type { Denials } from '../denials.ts';
import type { Grants } from '../grants.ts';
import { type HeaderRow, isFieldValue, type RequestHead } from './message.ts';

export type Inject = (head: RequestHead) => RequestHead;

const DENIED = 'HTTP-request-denied';

export function createInject(grants: Grants, denials: Denials, secrets: ReadonlyMap<string, string>): Inject {
  return (head) => {
    const host = canonicalHost(head.host)?.text;
    const uses = grants.secrets.filter(
      (use) => use.host === host && use.scheme === head.scheme && use.port === head.port,
    );
    if (uses.length === 0) return head;
    if (head.method.toUpperCase() === 'TRACE') throw new HostFailure(DENIED);
    return uses.reduce((dressed, use) => add(dressed, use, valueFor(use)), head);
  };

  function valueFor(use: SecretUse): string {
    const secret = secrets.get(use.key);
    const value = secret === undefined ? undefined : fillTemplate(use, secret);
    const sendable = value !== undefined && (use.place === 'query' || isFieldValue(Buffer.from(value)));
    if (sendable) return value;
    const reason = value === undefined ? 'No such secret is set' : 'Secret cannot be sent in a header';
    denials.add(`secret:${use.key}`, reason);
    throw new HostFailure(DENIED);
  }
}

function add(head: RequestHead, { place, name }: SecretUse, value: string): RequestHead {
  if (place === 'query') return { ...head, path: withParameter(head.path, name, value) };
  const others = head.headers.filter(([each]) => each.toLowerCase() !== name.toLowerCase());
  return { ...head, headers: [...others, [name, Buffer.from(value)] satisfies HeaderRow] };
}

/** Other parameters stay byte for byte as they are, except those that a server could take for this one. */
function withParameter(path: string, name: string, value: string): string {
  const [, before = path, query = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? [];
  const kept = query.split('&').filter((pair) => pair !== '' && parameterName(pair) !== name);
  return `${before}?${[...kept, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')}`;
}

function parameterName(pair: string): string {
  const text = pair.split('=', 1)[0]!.replaceAll('+', ' ');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
