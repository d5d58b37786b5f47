// The published JSON Schema of witbox.yaml, for editors: what the parser takes, said as far as JSON Schema can say it.

import type { JsonObject } from '../core/json.ts';
import { DOCUMENT } from './config.ts';

export function configSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'witbox.yaml',
    description: 'Configuration of a Witbox server',
    ...DOCUMENT.schema,
  };
}
