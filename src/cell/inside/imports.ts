// What a component or core module gets to import: WASI and witbox:mcp over the port of its instance, and nothing else.

import type { CompiledComponent, CompiledModule, CoreImports, Imports } from '../../engine/engine.ts';
import { createMcpHost } from '../../wasi/mcp.ts';
import { createPreview1 } from '../../wasi/preview1/preview1.ts';
import { createWasi, type WasiOptions } from '../../wasi/wasi.ts';
import type { InstancePort } from './instance-port.ts';

const NOTHING = Object.freeze({});

export function componentImports(
  { type }: CompiledComponent,
  port: InstancePort,
  options: WasiOptions,
): Imports {
  if (type.imports.size === 0) return NOTHING;
  const wasi = createWasi(port, options);
  const speaksMcp = [...type.imports.keys()].some((name) => name.startsWith('witbox:mcp/'));
  return speaksMcp ? { ...wasi, ...createMcpHost(port) } : wasi;
}

export function moduleImports(
  { coreImports }: CompiledModule,
  port: InstancePort,
  options: WasiOptions,
): CoreImports {
  return coreImports.length === 0 ? NOTHING : createPreview1(port, options);
}
