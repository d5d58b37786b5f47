// Tells what a file is from its first bytes, so that people who hand over a web page, a text file or an archive are
// told so instead of reading about magic numbers.

export type NotWasm =
  | 'empty'
  | 'html'
  | 'wat'
  | 'wit'
  | 'json'
  | 'gzip'
  | 'zip'
  | 'elf'
  | 'truncated'
  | 'version'
  | 'unknown';

/** For messages: "Expected a component, found {…}". */
export const NOT_WASM: Readonly<Record<NotWasm, string>> = Object.freeze({
  empty: 'an empty file',
  html: 'an HTML or XML page (was it downloaded from the right address?)',
  wat: 'WebAssembly text (assemble it first, for example with "wasm-tools parse")',
  wit: 'WIT text',
  json: 'JSON',
  gzip: 'a gzip archive',
  zip: 'a zip archive',
  elf: 'a native program (ELF)',
  truncated: 'a truncated file, shorter than the 8 bytes every WebAssembly file starts with',
  version: 'WebAssembly of an unknown version',
  unknown: 'something that is not WebAssembly (it does not start with "\\0asm")',
});

export function sniff(bytes: Uint8Array): 'component' | 'module' | { readonly not: NotWasm } {
  if (bytes.length === 0) return { not: 'empty' };
  if (starts(bytes, MAGIC)) {
    if (bytes.length < 8) return { not: 'truncated' };
    if (starts(bytes, COMPONENT, 4)) return 'component';
    return starts(bytes, MODULE, 4) ? 'module' : { not: 'version' };
  }
  if (bytes.length < 4 && starts(MAGIC, bytes)) return { not: 'truncated' };
  if (starts(bytes, [0x1f, 0x8b])) return { not: 'gzip' };
  if (starts(bytes, [0x50, 0x4b, 0x03, 0x04])) return { not: 'zip' };
  if (starts(bytes, [0x7f, 0x45, 0x4c, 0x46])) return { not: 'elf' };
  return { not: sniffText(bytes) };
}

const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const MODULE = [0x01, 0x00, 0x00, 0x00];
const COMPONENT = [0x0d, 0x00, 0x01, 0x00];

function starts(bytes: ArrayLike<number>, prefix: ArrayLike<number>, at = 0): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false;
  return true;
}

function sniffText(bytes: Uint8Array): NotWasm {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
  if (/^<(!doctype|html|head|body|\?xml|!--)/.test(text)) return 'html';
  if (/^(;;[^\n]*\n\s*)*\((module|component|;)/.test(text) || text.startsWith(';;')) return 'wat';
  if (/^(package\s+[\w-]+:|world\s|interface\s|\/\/\/)/.test(text)) return 'wit';
  if (/^[{[]\s*["{[\]}]/.test(text)) return 'json';
  return 'unknown';
}
