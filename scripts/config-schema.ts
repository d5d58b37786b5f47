// Writes schema/witbox.schema.json, the JSON Schema of witbox.yaml, from the one place that names its keys.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configSchema } from '../src/config/json-schema.ts';

const folder = join(resolve(import.meta.dirname, '..'), 'schema');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'witbox.schema.json'), `${JSON.stringify(configSchema(), null, 2)}\n`);
