// The first thing that is wrong with a value: where, and which rule it breaks. Values are quoted, never interpreted.

export interface Fault {
  /** JSON Pointer into the value. */
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

export const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message });

export function describe(found: Fault): string {
  return `${found.path === '' ? 'the value' : found.path} ${found.message}`;
}

export const step = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
