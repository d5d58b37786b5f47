// Text ⇔ bytes. QuickJS has no TextEncoder; `escape` and `unescape`, old as they are, work on bytes and need no table.

export function encode(text) {
  const binary = unescape(encodeURIComponent(text.toWellFormed()));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** Bytes that are not UTF-8 are read as Latin-1, which every sequence of bytes is. */
export function decode(bytes) {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8_192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  try {
    return decodeURIComponent(escape(binary));
  } catch {
    return binary;
  }
}
