// Requests from the server to the client, for revisions that have them. Ids are never used twice. What is no longer
// wanted (timeout, cancelled call) is cancelled with the client too; answers nobody waits for are dropped.

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import { type Id, notificationText, type ResponseMessage, requestText } from './envelope.ts';

export interface Outbound {
  request(
    method: string,
    params: JsonObject,
    send: (text: string) => void,
    signal: AbortSignal,
  ): Promise<JsonObject>;
  settle(response: ResponseMessage): void;
  close(): void;
}

interface Waiting {
  readonly method: string;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
}

export function createOutbound(timeoutMs: number): Outbound {
  const waiting = new Map<Id, Waiting>();
  let nextId = 1;
  return {
    request(method, params, send, signal) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        const finish = (): void => {
          waiting.delete(id);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        const give = (reason: string): void => {
          finish();
          send(notificationText('notifications/cancelled', { requestId: id, reason }));
          reject(new WitboxError('client-refused', { method, reason }));
        };
        const onAbort = (): void => give('the call was cancelled');
        const timer = setTimeout(give, timeoutMs, `no answer within ${timeoutMs} ms`);
        timer.unref();
        waiting.set(id, {
          method,
          resolve(result) {
            finish();
            resolve(result);
          },
          reject(error) {
            finish();
            reject(error);
          },
        });
        signal.addEventListener('abort', onAbort);
        if (signal.aborted) onAbort();
        else send(requestText(id, method, params));
      });
    },
    settle({ id, result, error }) {
      const one = waiting.get(id);
      if (!one) return;
      if (result) one.resolve(result);
      else one.reject(new WitboxError('client-refused', { method: one.method, reason: reasonOf(error) }));
    },
    close() {
      for (const { method, reject } of [...waiting.values()]) {
        reject(new WitboxError('client-refused', { method, reason: 'the connection closed' }));
      }
    },
  };
}

function reasonOf(error: unknown): string {
  const message = isJsonObject(error) ? own(error, 'message') : undefined;
  return typeof message === 'string' ? message.slice(0, 1_000) : 'no reason given';
}
