// The guests of this folder, built like the examples.

import { buildExample } from '../../examples/build.ts';

export function buildGuest(name: string): Promise<string> {
  return buildExample({ name, folder: 'test/mcp-components', language: 'js', bundled: false });
}
