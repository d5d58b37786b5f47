// Stops reading from a client that does not read itself or asks for more than is being done; its pipe holds the rest.

const LOOK_AGAIN_MS = 5;

export interface Source {
  pause(): unknown;
  resume(): unknown;
}

/** Call the result after everything that was read. `full` says whether there is too much already. */
export function createPace(source: Source, full: () => boolean): { check(): void; stop(): void } {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
  };
  return {
    check() {
      if (timer || !full()) return;
      source.pause();
      timer = setInterval(() => {
        if (full()) return;
        stop();
        source.resume();
      }, LOOK_AGAIN_MS);
    },
    stop,
  };
}
