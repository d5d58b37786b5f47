// Reads server-sent events from a response, as a browser would.

export interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly retry: string | undefined;
  readonly data: string | undefined;
}

export async function readEvents(
  response: Response,
  onEvent: (event: ServerSentEvent) => void,
): Promise<void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => split(line)));
      fields.delete('');
      if (fields.size === 0) continue;
      const [event, id, retry, data] = ['event', 'id', 'retry', 'data'].map((name) => fields.get(name));
      onEvent({ event, id, retry, data });
    }
  }
}

function split(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
