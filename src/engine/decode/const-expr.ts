// Steps over a constant expression of a core module (initial value of a global or table) without keeping it: what
// follows must be found, and V8 checks the expression itself when it compiles. Core 3.0 §3.4.11, constant instructions.

import { readHeapType } from './core-types.ts';
import type { Reader } from './reader.ts';

export function skipConstExpr(r: Reader): void {
  for (;;) {
    const op = r.byte();
    switch (op) {
      case 0x0b: // end
        return;
      case 0x41: // i32.const
        skipSigned(r, 5);
        break;
      case 0x42: // i64.const
        skipSigned(r, 10);
        break;
      case 0x43: // f32.const
        r.take(4);
        break;
      case 0x44: // f64.const
        r.take(8);
        break;
      case 0x23: // global.get
      case 0xd2: // ref.func
        r.u32();
        break;
      case 0xd0: // ref.null
        readHeapType(r);
        break;
      case 0x6a: // i32.add, sub, mul
      case 0x6b:
      case 0x6c:
      case 0x7c: // i64.add, sub, mul
      case 0x7d:
      case 0x7e:
        break;
      case 0xfb:
        skipGc(r);
        break;
      case 0xfd: {
        const sub = r.u32();
        if (sub !== 0x0c) throw r.malformed(`vector instruction ${sub} is not constant`);
        r.take(16);
        break;
      }
      default:
        throw r.unknown('a constant instruction', op);
    }
  }
}

function skipGc(r: Reader): void {
  const sub = r.u32();
  switch (sub) {
    case 0x00: // struct.new, struct.new_default, array.new, array.new_default
    case 0x01:
    case 0x06:
    case 0x07:
      r.u32();
      return;
    case 0x08: // array.new_fixed
      r.u32();
      r.u32();
      return;
    case 0x1a: // any.convert_extern, extern.convert_any, ref.i31
    case 0x1b:
    case 0x1c:
      return;
    default:
      throw r.malformed(`GC instruction ${sub} is not constant`);
  }
}

function skipSigned(r: Reader, max: number): void {
  for (let i = 0; i < max; i++) if (r.byte() < 0x80) return;
  throw r.malformed('integer representation too long', r.pos - 1);
}
