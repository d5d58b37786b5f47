// witbox.yaml: all that an operator says about a server, in one strict document. The one place that names its keys.

import { basename, dirname } from 'node:path';
import type { AuditOptions } from '../audit/options.ts';
import type { AccessOptions } from '../gate/options.ts';
import { readDocument } from '../policy/document.ts';
import type { Node } from '../policy/yaml.ts';
import { checkTogether } from './checks.ts';
import { list, optional } from './collections.ts';
import { createReading } from './reading.ts';
import { flag, path, reference } from './scalars.ts';
import { field, part, section } from './section.ts';
import { access, authentication } from './sections/gate.ts';
import { limits } from './sections/limits.ts';
import { listen } from './sections/listen.ts';
import { audit, log, metrics, secrets } from './sections/records.ts';
import type { Position, Problem, ValueOf } from './shape.ts';

const management = section({
  enabled: field(flag(), true, 'Offer the built-in tools that load and list components'),
  granting: field(flag(), false, 'Offer tools that widen permissions: only for clients you trust'),
});

export const DOCUMENT = section({
  listen: part(listen, 'Where the server is reached'),
  components: field(list(reference()), [], 'Components to serve besides those in the data directory'),
  watch: field(list(path()), [], 'Folders whose .wasm files are served as they come and go'),
  dataDir: field(optional(path()), undefined, 'Where components, policies and keys are kept'),
  management: part(management, 'The built-in tools'),
  authentication: part(authentication, 'How callers prove who they are'),
  access: field(optional(access), undefined, 'What callers may use'),
  limits: part(limits, 'How often and how much'),
  audit: part(audit, 'One line for each call and decision, chained by hash'),
  secrets: part(secrets, 'Secrets that components are given'),
  metrics: part(metrics, 'Figures for those who watch'),
  log: part(log, 'The log, JSON lines on stderr'),
});

type Written = ValueOf<typeof DOCUMENT>;

export interface Config extends Omit<Written, 'audit' | 'access'> {
  readonly audit: AuditOptions;
  /** Null: what the gate has as a rule. */
  readonly access: AccessOptions | null;
}

export interface LoadedConfig {
  readonly config: Config;
  /** What the document itself says, by path, and where. */
  readonly written: ReadonlyMap<string, Position>;
}

export type ConfigResult = LoadedConfig | { readonly problems: readonly Problem[] };

/** Throws `config-invalid` for what is not YAML; all that is wrong in readable YAML comes back as problems. */
export function parseConfig(text: string, file: string): ConfigResult {
  const document = readDocument(text, basename(file), 'config-invalid');
  const reading = createReading(document, dirname(file));
  const value = reading.root.attempt(() =>
    DOCUMENT.read(document.yaml.contents as Node | null, reading.root),
  );
  if (value === undefined || reading.problems.length > 0) return { problems: inOrder(reading.problems) };
  const { written } = reading;
  const problems = checkTogether(value, written);
  return problems.length > 0 ? { problems: inOrder(problems) } : { config: settle(value, written), written };
}

/** What holds without a file. */
export function defaultConfig(): Config {
  return settle(DOCUMENT.empty, new Map());
}

function settle(value: Written, written: ReadonlyMap<string, Position>): Config {
  const { keys, certificates, oauth } = value.authentication;
  const asked = written.has('audit') || keys || certificates || oauth.length > 0;
  const { enabled = asked, directory = null } = value.audit;
  return { ...value, access: value.access ?? null, audit: { ...value.audit, enabled, directory } };
}

const inOrder = (problems: readonly Problem[]): Problem[] =>
  [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
