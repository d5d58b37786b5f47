// What a component gets to import: WASI over the port of its instance, and nothing else.

import type { CompiledComponent, CompiledModule, CoreImports, Imports } from '../../engine/engine.ts';
import type { InstancePort } from './instance-port.ts';

export function importsFor(compiled: CompiledComponent, port: InstancePort): Imports;
export function importsFor(compiled: CompiledModule, port: InstancePort): CoreImports;
export function importsFor(_compiled: CompiledComponent | CompiledModule, _port: InstancePort): object {
  return {};
}
