// A message as it came off the wire: the exact text, and what JSON it holds if any. Nothing here throws; what is not
// JSON-RPC is still a Received, since that is what checks look for.

export type JsonId = string | number | null;

export interface Received {
  readonly raw: string;
  /** undefined when the text is not JSON. */
  readonly json: unknown;
  readonly at: number;
}

export type JsonObject = { readonly [key: string]: unknown };

export function received(raw: string): Received {
  return { raw, json: parse(raw), at: performance.now() };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(message: Received): JsonObject | null {
  return isObject(message.json) ? message.json : null;
}

/** Has `result` or `error`: an answer to something, right or wrong. */
export function isAnswer(message: Received): boolean {
  const json = objectOf(message);
  return json !== null && (Object.hasOwn(json, 'result') || Object.hasOwn(json, 'error'));
}

export function isServerRequest(message: Received): boolean {
  const json = objectOf(message);
  return json !== null && typeof json.method === 'string' && Object.hasOwn(json, 'id');
}

export function isNotification(message: Received, method?: string): boolean {
  const json = objectOf(message);
  if (json === null || typeof json.method !== 'string' || Object.hasOwn(json, 'id')) return false;
  return method === undefined || json.method === method;
}

/** Also an answer whose id changed its type on the way: that is J01's to tell, and no reason to wait for ever. */
export function answers(message: Received, id: JsonId): boolean {
  return isAnswer(message) && String(objectOf(message)!.id) === String(id);
}

export function resultOf(message: Received | null): JsonObject | null {
  const json = message === null ? null : objectOf(message);
  return json !== null && isObject(json.result) ? json.result : null;
}

export function errorOf(message: Received | null): JsonObject | null {
  const json = message === null ? null : objectOf(message);
  return json !== null && isObject(json.error) ? json.error : null;
}

export function codeOf(message: Received | null): number | null {
  const code = errorOf(message)?.code;
  return typeof code === 'number' ? code : null;
}
