// What a secret looks like when nobody has said that it is one: names of properties that hold them, and texts that have
// the form of a credential. Every pattern reads a hostile text in linear time: it begins at a border or a fixed prefix.

/** Ends of names, without case and punctuation: `X-Api-Key` and `apiKey` are both `apikey`. */
const SECRET_NAMES =
  /(?:authorization|authentication|cookies?|passw(?:or)?d|passphrase|pwd|secrets?|token|apikey|accesskey|secretkey|privatekey|signingkey|encryptionkey|credentials?|jwt|bearer)$/;

/** Names that only sound like it: MCP's own. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['progresstoken']);

const LONGEST_NAME = 256;

/** A name as it is compared. */
export function plainName(name: string): string {
  return name
    .slice(-LONGEST_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Whether a property of this name (as `plainName` gives it) holds a secret. */
export function isSecretName(plain: string): boolean {
  return SECRET_NAMES.test(plain) && !PLAIN_NAMES.has(plain);
}

const WORDS =
  'authorization|cookie|passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|secret[_-]?key|private[_-]?key|credentials?';

/** One look that most texts pass, before the patterns are tried one by one. */
const SUSPECT = new RegExp(
  `wbx_|eyJ|bearer|basic|://|PRIVATE KEY|[?&](?:key|appid|sig|code|auth)|signature|gh[pousr]_|sk-|AKIA|xox|${WORDS}`,
  'i',
);

const SHAPES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----|$)/g,
    '[redacted private key]',
  ],
  [/wbx_[A-Za-z0-9_-]{6,}/g, 'wbx_[redacted]'],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '[redacted]'],
  [
    /(?<![A-Za-z0-9])((?:proxy-)?authorization|(?:set-)?cookie|x-api-key)("?\s{0,8}:\s{0,8}"?)[^\r\n"]+/gi,
    '$1$2[redacted]',
  ],
  [/(?<![A-Za-z0-9])(bearer|basic)(\s{1,8})[A-Za-z0-9._~+/-]{8,}={0,2}/gi, '$1$2[redacted]'],
  [/:\/\/[^\s/?#"'<>]{1,2048}@/g, '://[redacted]@'],
  [
    /([?&](?:key|appid|app_id|sig|signature|code|auth|x-(?:amz|goog)-(?:signature|credential))=)[^&\s#"'<>]+/gi,
    '$1[redacted]',
  ],
  [
    new RegExp(
      `(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]{0,64}(?:${WORDS})=)(?!\\[redacted)"?[^\\s&#"',;<>]+`,
      'gi',
    ),
    '$1[redacted]',
  ],
  [
    /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|xox[abprs]-[A-Za-z0-9-]{10,})/g,
    '[redacted]',
  ],
];

/** The text without what has the form of a credential. */
export function withoutShapes(text: string): string {
  if (!SUSPECT.test(text)) return text;
  let left = text;
  for (const [pattern, instead] of SHAPES) left = left.replace(pattern, instead);
  return left;
}
