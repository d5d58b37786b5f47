// From a type to its codec. Types are acyclic but share parts, so each is compiled once.

import { WitboxError } from '../../core/errors.ts';
import type { ValType } from '../../wit/type.ts';
import type { Codec, CodecOptions } from './codec.ts';
import { createHandleCodec } from './handle.ts';
import { createFixedListCodec, createListCodec } from './list.ts';
import { createRecordCodec, createTupleCodec } from './product.ts';
import { ERROR_CONTEXT, SCALARS } from './scalar.ts';
import { createStringCodec } from './string-codec.ts';
import { createFlagsCodec, createVariantCodec, enumForm, optionForm, taggedForm } from './sum.ts';

export type CodecOf = (type: ValType) => Codec;

/** A compiler for types that remembers what it has made. */
export function createCodecs(options: CodecOptions): CodecOf {
  const known = new Map<ValType, Codec>();
  const maybe = (type: ValType | null): Codec | null => (type === null ? null : codecOf(type));

  function codecOf(type: ValType): Codec {
    let codec = known.get(type);
    if (codec === undefined) {
      codec = compile(type);
      known.set(type, codec);
    }
    return codec;
  }

  function compile(type: ValType): Codec {
    switch (type.kind) {
      case 'string':
        return createStringCodec(options);
      case 'error-context':
        return ERROR_CONTEXT;
      case 'record':
        return createRecordCodec(
          type.fields,
          type.fields.map((field) => codecOf(field.type)),
        );
      case 'tuple':
        return createTupleCodec(type.items.map(codecOf));
      case 'list':
        return createListCodec(codecOf(type.element), type.element, options);
      case 'fixed-list':
        return createFixedListCodec(codecOf(type.element), type.element, type.length, options);
      case 'map': {
        const pair: ValType = { kind: 'tuple', items: [type.key, type.value] };
        return createListCodec(codecOf(pair), pair, options);
      }
      case 'variant':
        return createVariantCodec(
          type.cases.map((c) => maybe(c.type)),
          taggedForm('variant', type.cases),
        );
      case 'result': {
        const cases = [
          { name: 'ok', type: type.ok },
          { name: 'err', type: type.err },
        ];
        return createVariantCodec(
          cases.map((c) => maybe(c.type)),
          taggedForm('result', cases),
        );
      }
      case 'option':
        return createVariantCodec([null, codecOf(type.some)], optionForm(type.some));
      case 'enum':
        return createVariantCodec(
          type.names.map(() => null),
          enumForm(type.names),
        );
      case 'flags':
        return createFlagsCodec(type.names);
      case 'own':
      case 'borrow':
        return createHandleCodec(type.kind, type.resource, options);
      case 'stream':
      case 'future':
        throw new WitboxError('needs-async', { what: `a ${type.kind}` });
      default:
        return SCALARS[type.kind];
    }
  }

  return codecOf;
}
