// What is done with every mutant: decode, validate, read names, rewrite the core modules. All it may do is succeed or
// throw a WitboxError; anything else is a finding and is thrown on.

import { WitboxError } from '../../src/core/errors.ts';
import type { ComponentAst, CustomSection } from '../../src/engine/decode/ast.ts';
import { decodeComponent } from '../../src/engine/decode/component.ts';
import { decodeCoreModule } from '../../src/engine/decode/core-module.ts';
import { readComponentName, readCoreNames, readProducers } from '../../src/engine/decode/names.ts';
import { rewriteModule } from '../../src/engine/decode/rewrite-module.ts';
import { sniff } from '../../src/engine/decode/sniff.ts';
import { validateComponent } from '../../src/engine/validate/component.ts';

/** How far a mutant came. */
type DecoderOutcome = 'refused' | 'decoded' | 'valid';

const CAPS = { memoryBytes: 2 ** 26, tableElements: 10_000, exportStart: true };

export function tryBytes(bytes: Uint8Array): DecoderOutcome {
  let outcome: DecoderOutcome = 'refused';
  try {
    if (sniff(bytes) === 'module') {
      readModule(bytes);
      return 'valid';
    }
    const ast = decodeComponent(bytes);
    outcome = 'decoded';
    readNested(ast);
    validateComponent(ast);
    return 'valid';
  } catch (error) {
    if (error instanceof WitboxError) return outcome;
    throw error;
  }
}

function readNested(ast: ComponentAst): void {
  readNames(ast.customs);
  for (const definition of ast.definitions) {
    if (definition.kind === 'component') readNested(definition.component);
    if (definition.kind === 'core module') readModule(definition.bytes);
  }
}

function readModule(bytes: Uint8Array): void {
  readNames(decodeCoreModule(bytes).customs);
  rewriteModule(bytes, CAPS);
}

function readNames(customs: readonly CustomSection[]): void {
  readCoreNames(customs);
  readComponentName(customs);
  readProducers(customs);
}
