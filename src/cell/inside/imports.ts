// What a component gets to import: WASI over the port of its instance, and nothing else.

import type { CompiledComponent, Imports } from '../../engine/engine.ts';
import { createWasi } from '../../wasi/wasi.ts';
import type { InstancePort } from './instance-port.ts';

const NOTHING: Imports = {};

export function importsFor({ type }: CompiledComponent, port: InstancePort): Imports {
  return type.imports.size === 0 ? NOTHING : createWasi(port);
}
