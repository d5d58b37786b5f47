import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { component, flat, module, type Part, section } from '../../../test/wasm/bytes.ts';
import { WitboxError } from '../../core/errors.ts';
import { decodeComponent } from './component.ts';

const CORE_MODULE = 1;
const CORE_INSTANCE = 2;
const CORE_TYPE = 3;
const COMPONENT = 4;
const INSTANCE = 5;
const ALIAS = 6;
const TYPE = 7;
const CANON = 8;
const IMPORT = 10;
const EXPORT = 11;

function refused(bytes: Uint8Array, details: Record<string, unknown>, code = 'wasm-malformed'): void {
  assert.throws(
    () => decodeComponent(bytes),
    (error) => {
      assert.ok(error instanceof WitboxError, String(error));
      assert.equal(error.code, code, error.message);
      for (const [key, expected] of Object.entries(details)) {
        const actual: unknown = error.details[key];
        if (expected instanceof RegExp) assert.match(String(actual), expected);
        else assert.equal(actual, expected);
      }
      return true;
    },
  );
}

const one = (id: number, ...parts: readonly Part[]): Uint8Array => component(section(id, 1, ...parts));

describe('decodeComponent() refuses', () => {
  it('what is not a component, saying what it is', () => {
    const text = (value: string): Uint8Array => new TextEncoder().encode(value);
    const found = (bytes: Uint8Array, what: RegExp): void =>
      assert.throws(() => decodeComponent(bytes), { code: 'wasm-expected', message: what });
    found(module(), /^Expected a component, found a core module$/);
    found(text(''), /found an empty file/);
    found(text('<!DOCTYPE html><html>'), /found an HTML or XML page/);
    found(text('\n(component)'), /found WebAssembly text/);
    found(text('\0asm\x0d'), /found a truncated file/);
    found(text('\0asm\x0e\0\x01\0'), /unknown version/);
  });

  it('a section that claims more bytes than there are', () => {
    refused(component(TYPE, 3, 0), { section: 'type section', offset: 10, reason: /unexpected end/ });
  });

  it('a section with bytes left over', () => {
    refused(component(section(TYPE, 1, 0x73, 0x73)), { section: 'type section', offset: 12 });
  });

  it('an unknown section', () => {
    refused(component(13, 0), { section: 'component', offset: 8 });
  });

  it('numbers that are too long or too large', () => {
    refused(component(TYPE, 0x81, 0x80, 0x80, 0x80, 0x80, 0x00, 0), {
      reason: 'integer representation too long',
    });
    refused(component(TYPE, 0x81, 0x80, 0x80, 0x80, 0x70, 0), { reason: 'integer too large' });
    refused(one(TYPE, [0x70, 0x80, 0x80, 0x80, 0x80, 0x60]), { reason: 'integer too large' });
  });

  it('negative numbers where a value type stands, however padded', () => {
    refused(one(TYPE, [0x70, 0xff, 0x7f]), { reason: 'not a value type', offset: 12 });
    refused(one(TYPE, [0x70, 0x40]), { reason: 'not a value type', offset: 12 });
  });

  it('names that are not UTF-8 or are cut off', () => {
    refused(one(IMPORT, [0x00, 2, 0xff, 0xfe, 0x01, 0]), { section: 'import section', offset: 13 });
    refused(one(IMPORT, [0x00, 0x7f, 0x61]), { section: 'import section', reason: /unexpected end/ });
    refused(one(IMPORT, [0x00, 3, 0xed, 0xa0, 0x80, 0x01, 0]), { reason: 'malformed UTF-8 encoding' });
  });

  it('a count of billions before reading the first item', () => {
    refused(component(section(TYPE, 0xff, 0xff, 0xff, 0xff, 0x0f)), { count: 0xffff_ffff }, 'wasm-limit');
    refused(component(section(TYPE, 0xbf, 0x84, 0x3d, 0x73)), {
      reason: /unexpected end, 999999 definitions/,
    });
    refused(one(TYPE, [0x72, 0x8f, 0x4e, 0x01]), { reason: /unexpected end, 9999 fields/ });
  });

  it('nesting beyond the depth limit, in components and in types', () => {
    let bytes = component();
    for (let i = 0; i < 101; i++) bytes = component(section(COMPONENT, bytes));
    refused(bytes, { what: 'levels of nesting', limit: 100 }, 'wasm-limit');
    const deep = Uint8Array.from({ length: 9_000 }, (_, i) => [0x41, 1, 0x01][i % 3] as number);
    refused(one(TYPE, deep), { what: 'levels of nesting', limit: 100 }, 'wasm-limit');
  });

  it('more than a limit allows', () => {
    const limited = (
      bytes: Uint8Array,
      limits: Parameters<typeof decodeComponent>[1],
      what: string,
    ): void => {
      decodeComponent(bytes);
      assert.throws(
        () => decodeComponent(bytes, limits),
        (error) => error instanceof WitboxError && error.code === 'wasm-limit' && error.details.what === what,
      );
    };
    const modules = component(section(CORE_MODULE, module()), section(CORE_MODULE, module()));
    limited(modules, { modules: 1 }, 'modules');
    limited(modules, { fileBytes: 10 }, 'bytes');
    limited(component(section(COMPONENT, component())), { components: 1 }, 'components');
    limited(one(CORE_INSTANCE, [0x01, 0]), { instances: 0 }, 'instances');
    limited(component(section(TYPE, 2, 0x73, 0x73)), { types: 1 }, 'types');
    limited(component(section(0, 'a'), section(0, 'b')), { items: 1 }, 'items');
    limited(component(section(TYPE, 2, 0x73, 0x73)), { items: 2 }, 'items');
    limited(one(IMPORT, [0x00, 'abc', 0x01, 0]), { nameBytes: 2 }, 'bytes in a name');
  });

  it('bytes that select no production', () => {
    const bytes: [number, Part][] = [
      [TYPE, [0x62]],
      [TYPE, [0x71, 1, 'c', 0, 1]],
      [TYPE, [0x40, 0, 2, 0]],
      [TYPE, [0x42, 1, 0x03, 0, 'a', 0x03, 1]],
      [CORE_TYPE, [0x00, 0x60, 0, 0]],
      [CORE_TYPE, [0x50, 1, 0x04]],
      [CORE_TYPE, [0x60, 1, 0x40, 0]],
      [ALIAS, [0x06, 0x02, 0, 0]],
      [ALIAS, [0x05, 0x02, 0, 0]],
      [ALIAS, [0x01, 0x01, 0, 'f']],
      [ALIAS, [0x00, 0x00, 0x00, 0, 'f']],
      [INSTANCE, [0x02, 0, 0]],
      [CORE_INSTANCE, [0x00, 0, 1, 'i', 0x00, 0]],
      [CANON, [0x07]],
      [CANON, [0x00, 0x01, 0, 0, 0]],
      [CANON, [0x01, 0x00, 0, 1, 0x0a]],
      [CANON, [0x0c, 2]],
      [IMPORT, [0x03, 'a', 0x01, 0]],
      [IMPORT, [0x00, 'm', 0x00, 0x00, 0]],
      [EXPORT, [0x00, 'e', 0x00, 0x00, 0, 0]],
      [EXPORT, [0x00, 'e', 0x01, 0, 2]],
    ];
    for (const [id, part] of bytes) refused(one(id, part), {});
  });

  it('options and attributes given twice', () => {
    refused(one(CANON, [0x01, 0x00, 0, 2, 0x03, 0, 0x03, 0]), { reason: /"memory" is given twice/ });
    refused(one(CANON, [0x01, 0x00, 0, 2, 0x00, 0x01]), { reason: /"encoding" is given twice/ });
    refused(one(IMPORT, [0x02, 'i', 2, 0, 'a', 0, 'b', 0x05, 0]), { reason: /duplicate/ });
  });

  it('a core module section that holds something else, or sections out of order', () => {
    refused(component(section(CORE_MODULE, component())), { reason: /expected a core module/, offset: 10 });
    refused(component(section(CORE_MODULE, module(section(1, 0), section(11, 0), section(1, 0)))), {
      reason: 'type section out of order',
      offset: 24,
    });
  });

  it('any component cut short at any byte', () => {
    const bytes = component(
      section(CORE_MODULE, module(section(1, 1, 0x60, 0, 0))),
      section(TYPE, 2, [0x40, 1, 'p', 0x7f, 0, 0x79], [0x41, 1, 0x03, 0, 'a', 0x03, 1]),
      section(CANON, 1, [0x00, 0x00, 1, 2, 0x00, 0x03, 5, 8]),
      section(0, flat('custom', 1, 2, 3)),
    );
    const whole = new Set([8, 24, 42, 53]);
    for (let length = 0; length < bytes.length; length++) {
      if (whole.has(length)) decodeComponent(bytes.subarray(0, length));
      else assert.throws(() => decodeComponent(bytes.subarray(0, length)), WitboxError, `at ${length}`);
    }
  });
});
