// Properties by names that come from outside: `__proto__` must become data like any other name, on the fast path too.

export function setOwn<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[name] = value;
  }
}
