// A raw client: sends text as it is, keeps every message that comes back. No library stands between test and wire.

/** JSON from the wire, to be looked into without asking first: a test that looks in vain fails anyway. */
export type Loose = LooseObject & readonly Loose[];

interface LooseObject {
  readonly [key: string]: Loose;
}

export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Loose;
  readonly result?: Loose;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Loose };
}

export interface Wire {
  /** Sends bytes that should be one message. Resolves when they are out; answers come into the inbox. */
  send(text: string): Promise<void>;
  readonly inbox: (Message | readonly Message[])[];
  /** The first message, past or future, that fits; it is taken out of the inbox. */
  take(fits: (message: Message) => boolean): Promise<Message>;
  /** The same for whatever comes next, batches too. */
  takeAny(): Promise<Message | readonly Message[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 10_000;

/** The receiving half, shared by all transports. */
export function createInbox() {
  const inbox: (Message | readonly Message[])[] = [];
  const waiting = new Set<() => void>();
  const take = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      const timer = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`Nothing that fits came; the inbox has ${JSON.stringify(inbox).slice(0, 2_000)}`));
      }, PATIENCE_MS);
      waiting.add(look);
      look();
    });
  return {
    inbox,
    receive(text: string): void {
      inbox.push(JSON.parse(text) as Message);
      for (const look of [...waiting]) look();
    },
    take: (fits: (message: Message) => boolean) =>
      take(() => {
        const at = inbox.findIndex((one) => !Array.isArray(one) && fits(one as Message));
        return at < 0 ? undefined : (inbox.splice(at, 1)[0] as Message);
      }),
    takeAny: () => take(() => inbox.shift()),
  };
}
