// The smallest picture and the shortest sound that a client can show.

const bytes = (base64) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** A PNG of one pixel. */
export const PIXEL = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
);

/** A WAV of a hundredth of a second of silence: 80 samples, 8 kHz, 8 bit, mono. */
export const SILENCE = (() => {
  const samples = 80;
  const out = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(out.buffer);
  const write = (at, word) => {
    for (const [index, char] of [...word].entries()) view.setUint8(at + index, char.charCodeAt(0));
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + samples, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, samples, true);
  return out;
})();
