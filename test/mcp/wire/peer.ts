// A client of one revision on a raw wire: opens as the revision wants, numbers its requests, and answers questions
// the way the revision asks them, so that a case can be written once for all.

import type { Loose, Message, Wire } from './wire.ts';

export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type RevisionName = (typeof REVISIONS)[number];
export const MODERN: RevisionName = '2026-07-28';

export type Answers = Readonly<Record<string, (params: Loose) => unknown>>;

export interface PeerOptions {
  readonly capabilities?: object;
  readonly answers?: Answers;
}

export interface SentMessage {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly method: string;
  readonly params: object;
}

type Question = { readonly method: string; readonly params: Loose };
type Params = { readonly _meta?: object; readonly [name: string]: unknown };

const PREFIX = 'io.modelcontextprotocol/';

export class Peer {
  readonly wire: Wire;
  readonly revision: RevisionName;
  readonly #options: PeerOptions;
  #nextId = 1;

  constructor(wire: Wire, revision: RevisionName, options: PeerOptions = {}) {
    this.wire = wire;
    this.revision = revision;
    this.#options = options;
  }

  get modern(): boolean {
    return this.revision === MODERN;
  }

  /** What `_meta` every request must have here. */
  get meta(): Record<string, unknown> {
    if (!this.modern) return {};
    return {
      [`${PREFIX}protocolVersion`]: this.revision,
      [`${PREFIX}clientInfo`]: { name: 'peer', version: '1' },
      [`${PREFIX}clientCapabilities`]: this.#options.capabilities ?? {},
    };
  }

  /** Takes out what came beside responses, without the changes of lists that other clients of the server cause. */
  aside(): Message[] {
    const all = this.wire.inbox.splice(0) as Message[];
    return all.filter(({ method }) => !method?.endsWith('/list_changed'));
  }

  async open(): Promise<Message> {
    if (this.modern) return this.request('server/discover');
    const answer = await this.request('initialize', {
      protocolVersion: this.revision,
      capabilities: this.#options.capabilities ?? {},
      clientInfo: { name: 'peer', version: '1' },
    });
    await this.notify('notifications/initialized');
    return answer;
  }

  message(method: string, params: Params = {}, id: unknown = this.#nextId++): SentMessage {
    const meta = { ...this.meta, ...params._meta };
    const whole = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
    return { jsonrpc: '2.0', id, method, params: whole };
  }

  async notify(method: string, params?: object): Promise<void> {
    await this.wire.send(JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) }));
  }

  /** One request and its response, whatever it is. Questions in between are answered. */
  async request(method: string, params?: Params, id?: unknown): Promise<Message> {
    const message = this.message(method, params, id);
    const sent = this.wire.send(JSON.stringify(message));
    const answer = await this.#answering(message.id);
    await sent;
    return answer;
  }

  /** The result of a request, through as many rounds of questions as it takes. */
  async result(method: string, params: Params = {}): Promise<Loose> {
    const answer = await this.request(method, params);
    if (answer.error) throw new Error(`${answer.error.code} ${answer.error.message}`);
    const result = answer.result!;
    if ((result.resultType as unknown) !== 'input_required') return result;
    const inputResponses = Object.fromEntries(
      Object.entries(result.inputRequests ?? {}).map(([key, one]) => [key, this.#answer(one as never)]),
    );
    const { requestState } = result;
    return this.result(method, {
      ...params,
      inputResponses,
      ...(requestState !== undefined && { requestState }),
    });
  }

  async error(method: string, params?: Params): Promise<NonNullable<Message['error']>> {
    const answer = await this.request(method, params);
    if (!answer.error) throw new Error(`No error but ${JSON.stringify(answer.result)}`);
    return answer.error;
  }

  /** All pages of a list. */
  async list(method: string, key: string): Promise<Loose[]> {
    const items: Loose[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.result(method, cursor === undefined ? {} : { cursor });
      items.push(...page[key]!);
      cursor = page.nextCursor as string | undefined;
    } while (cursor !== undefined);
    return items;
  }

  async #answering(id: unknown): Promise<Message> {
    for (;;) {
      const isQuestion = ({ id: asked, method }: Message) => method !== undefined && asked !== undefined;
      const message = await this.wire.take(
        (one) => isQuestion(one) || (one.id === id && one.method === undefined),
      );
      if (!isQuestion(message)) return message;
      const result = this.#answer(message as Question);
      await this.wire.send(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
    }
  }

  #answer({ method, params }: Question): unknown {
    const answer = this.#options.answers?.[method];
    if (!answer) throw new Error(`Nobody answers ${method}`);
    return answer(params);
  }
}
