// One request to a collector. Bounded in time and in what is read of the answer; redirects are not followed, so that
// headers with secrets go nowhere else.

import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface PostAnswer {
  readonly status: number;
  readonly body: string;
  /** Seconds, if the collector says when to come back. */
  readonly retryAfter: number | null;
}

export interface Post {
  send(body: Buffer, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<PostAnswer>;
  close(): void;
}

const MOST_ANSWER = 64 * 1024;

export function createPost(endpoint: URL): Post {
  const secure = endpoint.protocol === 'https:';
  const options = { keepAlive: true, maxSockets: 1 };
  const agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
  return {
    send: (body, headers, timeoutMs) =>
      new Promise((resolve, reject) => {
        const start = secure ? httpsRequest : httpRequest;
        const request = start(
          endpoint,
          {
            method: 'POST',
            agent,
            headers: { ...headers, 'Content-Length': body.length },
            signal: AbortSignal.timeout(timeoutMs),
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (part: string) => {
              if (text.length < MOST_ANSWER) text += part;
            });
            response.on('error', reject);
            response.on('end', () => {
              const after = response.headers['retry-after'] ?? '';
              const retryAfter = /^\d{1,6}$/.test(after) ? Number(after) : null;
              resolve({ status: response.statusCode ?? 0, body: text, retryAfter });
            });
          },
        );
        request.on('error', reject);
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}
