// An error that a client on the network sees as a status and headers too, whatever revision it speaks: a challenge to
// authenticate, or how long to wait. On pipes, where there are none, the error and its data say the same.

import { type ErrorCode, type ErrorDetails, WitboxError } from './errors.ts';
import type { JsonObject } from './json.ts';

export class Refusal extends WitboxError {
  readonly headers: Readonly<Record<string, string>>;
  readonly data: JsonObject | undefined;

  constructor(
    code: ErrorCode,
    details: ErrorDetails,
    headers: Readonly<Record<string, string>>,
    data?: JsonObject,
  ) {
    super(code, details);
    this.headers = headers;
    this.data = data;
  }
}
