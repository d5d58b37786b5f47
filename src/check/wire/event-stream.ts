// Reads `text/event-stream` as the HTML standard defines it, incrementally, bounded.

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
  readonly retry?: number;
}

const MAX_EVENT = 8 * 1024 * 1024;

export function createEventReader(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let rest = '';
  let event = '';
  let data: string[] = [];
  let id: string | undefined;
  let retry: number | undefined;

  function field(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === 'id') id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) retry = Number(value);
  }

  function dispatch(): void {
    if (data.length > 0 || id !== undefined || retry !== undefined) {
      onEvent({
        event: event === '' ? 'message' : event,
        data: data.join('\n'),
        ...(id === undefined ? {} : { id }),
        ...(retry === undefined ? {} : { retry }),
      });
    }
    event = '';
    data = [];
    id = undefined;
    retry = undefined;
  }

  let begun = false;
  return (text) => {
    rest += begun ? text : text.replace(/^\ufeff/, '');
    begun ||= text !== '';
    if (rest.length > MAX_EVENT) throw new Error('the server sent an event without end');
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line === '') dispatch();
      else field(line);
    }
  };
}
