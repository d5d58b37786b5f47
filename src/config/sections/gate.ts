// `authentication` and `access`: who is calling, and what they may do.

import type { AccessOptions, AuthenticationOptions, OAuthOptions, Reach } from '../../gate/options.ts';
import { list, optional } from '../collections.ts';
import { jsonObject } from '../json-value.ts';
import { choice, flag, text } from '../scalars.ts';
import { field, needed, part, type Section, section } from '../section.ts';

const ADDRESS = text(
  '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])[:/]).*[^\\s]$',
  'an https: address',
);
const WHO = text(
  '^(\\*|local|anybody|(key|subject|certificate|group|scope):[^\\u0000-\\u001f\\u007f]+)$',
  'key:NAME, subject:NAME, certificate:NAME, group:NAME, scope:NAME, local, anybody or *',
);
const NAMES = list(text());

const oauth = section({
  issuer: needed(ADDRESS, 'The authorization server, as its tokens name it'),
  audience: field(NAMES, [], 'What tokens must be made for; listen.public-url if empty'),
  jwks: field(optional(ADDRESS), undefined, 'Where its keys are, if not as its metadata says'),
  scopes: field(NAMES, [], 'Every token must have these'),
  groupsClaim: field(text(), 'groups', 'The claim that names the groups of a subject'),
  algorithms: field(
    list(
      choice(
        'RS256',
        'RS384',
        'RS512',
        'PS256',
        'PS384',
        'PS512',
        'ES256',
        'ES384',
        'ES512',
        'EdDSA',
        'Ed25519',
      ),
      {
        least: 1,
      },
    ),
    ['RS256', 'ES256', 'EdDSA', 'PS256'],
    'Signatures that are taken',
  ),
}) satisfies Section<OAuthOptions>;

export const authentication: Section<AuthenticationOptions> = section({
  keys: field(flag(), false, 'Take keys made with "witbox key create"'),
  certificates: field(flag(), false, 'Take client certificates that listen.tls.client-ca signed'),
  oauth: field(list<OAuthOptions>(oauth), [], 'Take access tokens of these authorization servers'),
});

const reach: Section<Reach> = section({
  tools: field(NAMES, [], 'Tools by name'),
  components: field(NAMES, [], 'Everything of components, by id'),
  resources: field(NAMES, [], 'Resources by URI'),
  prompts: field(NAMES, [], 'Prompts by name'),
  management: field(NAMES, [], 'Built-in tools, and what is told about components'),
});

const rule = section({
  who: needed(list(WHO, { least: 1 }), 'Whom the rule is about; * and ? are wildcards in names'),
  allow: part(reach, 'What they may use; * and ? are wildcards'),
  deny: part(reach, 'What they may not use, whatever else allows it'),
  arguments: field(
    list(
      section({
        tool: needed(text(), 'Tools by name; * and ? are wildcards'),
        schema: needed(jsonObject(), 'JSON Schema that their arguments must satisfy too'),
      }),
    ),
    [],
    'What arguments must satisfy besides the schema of the tool',
  ),
});

/** Null without the section: then the rules of the gate hold. */
export const access: Section<AccessOptions> = section({
  rules: field(
    list(rule),
    [],
    'All rules that name a caller count together; a deny beats every allow; what nothing allows is refused',
  ),
});
