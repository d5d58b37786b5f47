// What a check has to work with: the shared conversation of its cell of the matrix, others where it may break
// something, the server's own lists, asked for once, and what its harmless tools answered, called once.

import { callTools, type ToolCall } from './calls.ts';
import { type Conversation, encodeHeader, openConversation } from './conversation.ts';
import { type Address, type Link, openLink } from './link.ts';
import { type Listing, type ListMethod, readList } from './listing.ts';
import { isObject, type JsonObject } from './message.ts';
import type { Revision, Transport } from './model.ts';
import { sampleArguments } from './sample.ts';
import { annotatedParameters } from './schema.ts';

export interface BenchOptions {
  readonly milliseconds: number;
  /** Names of tools that may be called although not marked read-only; '*' for all. */
  readonly allowCalls: readonly string[];
  /** Arguments by tool name, where the schema is not enough. */
  readonly argumentsByTool: JsonObject;
  /** Headers of a second caller, who must not get at what the first one has. */
  readonly otherHeaders?: Readonly<Record<string, string>>;
  /** A good token of the server's own authorization server, for somebody else. */
  readonly wrongAudienceToken?: string;
}

/** What all cells of one run know together. */
export interface Known {
  /** Revisions that the server speaks on this transport. */
  readonly supported: readonly Revision[];
  /** Revisions that were tried on this transport. */
  readonly probed: readonly Revision[];
  /** Revisions that the server claims anywhere: opened on another transport, or named by server/discover. */
  readonly claimed: readonly Revision[];
  /** What was seen on the transport that came first, by revision; for comparing the others with it. */
  readonly seen: Map<Revision, { readonly transport: Transport; readonly what: Promise<JsonObject> }>;
  readonly transports: readonly Transport[];
  /** How long to wait for the first answer on a new link. */
  readonly opening: number;
}

export interface Bench extends Known {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly address: Address;
  readonly options: BenchOptions;
  readonly conversation: Conversation;
  /** A link on which nothing was said yet. */
  freshLink(headers?: Readonly<Record<string, string>>): Promise<Link>;
  /** A new conversation, closed after the check in any case. */
  fresh(capabilities?: JsonObject): Promise<Conversation>;
  /** A second conversation for checks that may break theirs; kept for the next such check if it did not break. */
  spare(): Promise<Conversation>;
  /** All pages of a list, and the exchanges that gave them. */
  list(method: ListMethod): Promise<Listing>;
  /** Tools that may be called, with arguments for them. */
  callables(): Promise<readonly Callable[]>;
  /** The first of them. */
  callable(): Promise<Callable | null>;
  /** Every tool that may be called, called once. */
  calls(): Promise<readonly ToolCall[]>;
}

export interface Callable {
  readonly name: string;
  readonly arguments: JsonObject;
  /** What the tool wants repeated in headers (2026-07-28 over HTTP). */
  readonly headers: Readonly<Record<string, string>>;
}

export const callParams = ({ name, arguments: given }: Callable): JsonObject => ({ name, arguments: given });

/** The bench and the strings that the runner pulls. */
export interface OwnedBench {
  readonly bench: Bench;
  /** After a check: closes what it opened. */
  sweep(spareBroke: boolean): Promise<void>;
  close(): Promise<void>;
}

export const NO_CALLS = 'No tool may be called: none is marked read-only, and --allow-calls names none';

export function createBench(
  address: Address,
  shared: () => Conversation,
  known: Known,
  options: BenchOptions,
): OwnedBench {
  const opened: { close(): Promise<void> }[] = [];
  const listings = new Map<ListMethod, Promise<Listing>>();
  let calls: Promise<readonly ToolCall[]> | null = null;
  let spare: Promise<Conversation> | null = null;
  let closed = false;
  const { revision } = shared();

  /** A check that ran out of time goes on unseen; it must not start anything that nobody would end. */
  function refuseWhenClosed(): void {
    if (closed) throw new Error('the check ran out of time');
  }

  async function freshLink(headers?: Readonly<Record<string, string>>): Promise<Link> {
    refuseWhenClosed();
    const to = headers === undefined || address.transport === 'stdio' ? address : { ...address, headers };
    const link = await openLink(to, known.opening);
    opened.push(link);
    return link;
  }

  async function converse(clientCapabilities: JsonObject): Promise<Conversation> {
    refuseWhenClosed();
    const link = await openLink(address, known.opening);
    const made = await openConversation(link, revision, {
      milliseconds: options.milliseconds,
      opening: known.opening,
      clientCapabilities,
    });
    if (made !== null) return made;
    await link.close();
    throw new Error('the server did not open a second conversation');
  }

  function list(method: ListMethod): Promise<Listing> {
    let listing = listings.get(method);
    if (listing === undefined) {
      listing = readList(shared(), method);
      listings.set(method, listing);
    }
    return listing;
  }

  async function callables(): Promise<readonly Callable[]> {
    const { items } = await list('tools/list');
    const found: Callable[] = [];
    for (const tool of items) {
      const name = tool.name;
      if (typeof name !== 'string' || !mayCall(tool, name, options.allowCalls)) continue;
      const given = Object.hasOwn(options.argumentsByTool, name) ? options.argumentsByTool[name] : undefined;
      const made = isObject(given) ? given : sampleArguments(tool.inputSchema);
      if (made !== null)
        found.push({ name, arguments: made, headers: parameterHeaders(tool.inputSchema, made) });
    }
    return found;
  }

  const bench: Bench = {
    transport: address.transport,
    revision,
    address,
    options,
    ...known,
    get conversation() {
      return shared();
    },
    freshLink,
    async fresh(capabilities = {}) {
      const made = await converse(capabilities);
      opened.push(made);
      return made;
    },
    spare() {
      spare ??= converse({});
      return spare;
    },
    list,
    callables,
    async callable() {
      return (await callables())[0] ?? null;
    },
    calls() {
      calls ??= callables().then((tools) => callTools(shared(), tools, options.milliseconds));
      return calls;
    },
  };

  async function dropSpare(): Promise<void> {
    const dropped = spare;
    spare = null;
    await dropped?.then((one) => one.close()).catch(() => {});
  }

  return {
    bench,
    async sweep(spareBroke) {
      if (spareBroke) await dropSpare();
      await Promise.all(opened.splice(0).map((thing) => thing.close()));
    },
    async close() {
      closed = true;
      await dropSpare();
      await Promise.all(opened.splice(0).map((thing) => thing.close()));
    },
  };
}

/** What a tool wants repeated in headers, for these arguments. */
export function parameterHeaders(schema: unknown, given: JsonObject): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, header } of annotatedParameters(schema)) {
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined),
      given,
    );
    if (['string', 'number', 'boolean'].includes(typeof value))
      headers[`mcp-param-${header.toLowerCase()}`] = encodeHeader(String(value));
  }
  return headers;
}

function mayCall(tool: JsonObject, name: string, allowed: readonly string[]): boolean {
  if (allowed.includes('*') || allowed.includes(name)) return true;
  return isObject(tool.annotations) && tool.annotations.readOnlyHint === true;
}
