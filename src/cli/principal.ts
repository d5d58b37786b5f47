// A caller as an operator writes one down, to ask what such a caller may do: `key:ci`, `subject:ada,group:admins`.

import { ANYBODY, type Caller, LOCAL } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';

const KINDS = ['key', 'subject', 'certificate'] as const;
const FORMS =
  'expected local, anybody, or key:NAME, subject:NAME, subject:ISSUER#NAME or certificate:NAME with group:NAME and scope:NAME, by commas';

/** Throws `principal-invalid`. Whoever has a group or a scope and no name is a subject without one. */
export function parsePrincipal(text: string): Caller {
  if (text === 'local') return LOCAL;
  if (text === 'anybody') return ANYBODY;
  let caller: Caller = { ...ANYBODY, id: text, kind: 'subject', name: '' };
  let named = false;
  for (const part of text.split(',')) {
    const colon = part.indexOf(':');
    const [form, name] = [part.slice(0, Math.max(0, colon)), part.slice(colon + 1)];
    const kind = KINDS.find((one) => one === form);
    if (name === '' || (kind !== undefined && named)) throw wrong(text);
    if (kind !== undefined) {
      const issuerEnd = kind === 'subject' ? name.indexOf('#') : -1;
      caller = { ...caller, id: part, kind, name: name.slice(issuerEnd + 1) };
      named = true;
    } else if (form === 'group') caller = { ...caller, groups: [...caller.groups, name] };
    else if (form === 'scope') caller = { ...caller, scopes: [...caller.scopes, name] };
    else throw wrong(text);
  }
  return caller;
}

function wrong(text: string): WitboxError {
  return new WitboxError('principal-invalid', { text, problem: FORMS });
}
