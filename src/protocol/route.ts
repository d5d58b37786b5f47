// Where the messages of one request go. A transport makes one for each incoming message: stdio and WebSocket always
// give the same pipe, HTTP gives the response to that very POST.

export interface Route {
  /** A message that belongs to the request, before its response. */
  send(text: string): void;
  /** The response; nothing follows. Status and headers are for HTTP, if the response is all there is. */
  end(text: string, status: number, headers?: Readonly<Record<string, string>>): void;
  /** There will be no response: the request was cancelled, or was a notification. */
  skip(): void;
  /** Lets go of the stream where the client can come back for the rest. */
  closeStream(): void;
}

/** For channels where everything goes down one pipe. */
export function pipeRoute(write: (text: string) => void): Route {
  return { send: write, end: (text) => write(text), skip() {}, closeStream() {} };
}

/** Gathers the responses of a batch into one array, sent when the last one is there. */
export function batchRoutes(outer: Route, count: number): Route[] {
  const responses: string[] = [];
  let open = count;
  const settle = (): void => {
    open -= 1;
    if (open > 0) return;
    if (responses.length > 0) outer.end(`[${responses.join(',')}]`, 200);
    else outer.skip();
  };
  const one = (): Route => ({
    send: (text) => outer.send(text),
    end(text) {
      responses.push(text);
      settle();
    },
    skip: settle,
    closeStream: () => outer.closeStream(),
  });
  return Array.from({ length: count }, one);
}
