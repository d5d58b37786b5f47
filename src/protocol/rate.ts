// Bounds how many notifications one request may send: a guest must not be able to flood a client. Bursts are fine.

const BURST = 200;
const PER_SECOND = 100;

export function createRate(now: () => number = Date.now): () => boolean {
  let left = BURST;
  let last = 0;
  return () => {
    const time = now();
    left = Math.min(BURST, left + ((time - last) / 1_000) * PER_SECOND);
    last = time;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
}
