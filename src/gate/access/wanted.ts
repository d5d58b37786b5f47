// What a caller wants to use, in all the names it has: a rule must hold for a thing, not for one of its spellings. What
// is denied is denied under each of them; what is allowed must be allowed as it is really called.

import type { Owner } from '../../catalog/catalog.ts';

export type WantedKind = 'tool' | 'resource' | 'prompt' | 'management';

export interface Wanted {
  readonly kind: WantedKind;
  /** The name as lists show it, or a URI. */
  readonly name: string;
  readonly component: string;
}

/** What belongs to Witbox itself is management, whatever it is. */
export function wantedOf(kind: Exclude<WantedKind, 'management'>, name: string, owner: Owner): Wanted {
  return { kind: owner.digest === '' ? 'management' : kind, name, component: owner.component };
}

export interface Spellings {
  /** A rule that denies any of these denies the thing. */
  readonly denied: readonly string[];
  /** Groups of which each needs one that is allowed. */
  readonly allowed: readonly (readonly string[])[];
}

export function spellingsOf({ kind, name, component }: Wanted): Spellings {
  if (kind === 'tool') {
    const prefix = `${component}.`;
    const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
    const qualified = `${prefix}${bare}`;
    // The bare name alone allows nothing: lists may show it as another component's.
    return { denied: [name, bare, qualified], allowed: [[name, qualified]] };
  }
  if (kind === 'prompt' || !/^[a-z][a-z0-9+.-]*:/i.test(name)) return { denied: [name], allowed: [[name]] };
  const forms = [...new Set([name, ...uriForms(name)])];
  return { denied: forms, allowed: forms.map((form) => [form]) };
}

/** As a component may read it: dots resolved, escapes undone, scheme and host in lower case. */
function uriForms(uri: string): string[] {
  const parsed = URL.parse(uri);
  const plain = unescaped(uri);
  return [
    ...(parsed === null ? [] : [parsed.href, unescaped(parsed.href)]),
    plain,
    URL.parse(plain)?.href ?? plain,
  ];
}

/** Run by run: one escape that is no UTF-8 must not keep the others closed. */
function unescaped(uri: string): string {
  return uri.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
}
