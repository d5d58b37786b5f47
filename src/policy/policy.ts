// What a parsed policy is: rules with their place in the document, compiled for matching, and limits. Plain, frozen
// data; `parse.ts` makes it, `decide.ts` asks it. A policy without rules grants nothing.

import type { Cidr } from './address.ts';
import type { Glob } from './glob.ts';
import { DEFAULT_LIMITS, type Limits } from './quantity.ts';
import type { SecretUse } from './secret-rule.ts';

export type Effect = 'allow' | 'deny';

/** Sections whose rules name one thing each: the key of the rule in the document. */
export const NAMED_SECTIONS = {
  environment: 'key',
  config: 'key',
  keyvalue: 'bucket',
  mcp: 'capability',
} as const;

export type NamedSection = keyof typeof NAMED_SECTIONS;
export type Section = 'storage' | 'network' | 'secrets' | NamedSection;

export interface Rule {
  readonly section: Section;
  readonly effect: Effect;
  /** As a person reads it: `fs:///data/** (read)`, `*.example.com`, `API_KEY`. */
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export type Access = 'read' | 'write';

export interface StorageRule extends Rule {
  readonly glob: Glob;
  readonly access: readonly Access[];
}

export type NetworkTarget =
  | { readonly kind: 'any' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'subdomains'; readonly suffix: string }
  /** `own`: wholly inside a special range, so that it is a grant of its own for it. */
  | { readonly kind: 'block'; readonly cidr: Cidr; readonly own: boolean };

export interface Endpoint {
  readonly target: NetworkTarget;
  readonly scheme: string | undefined;
  readonly port: number | undefined;
}

export interface NetworkRule extends Rule, Endpoint {}

export interface NameRule extends Rule {
  readonly name: string;
}

/** A secret that the host adds to requests. */
export interface SecretRule extends Rule, SecretUse {}

export interface RuleSet<R extends Rule> {
  readonly allow: readonly R[];
  readonly deny: readonly R[];
}

export interface Policy extends Readonly<Record<NamedSection, RuleSet<NameRule>>> {
  readonly description: string | undefined;
  readonly storage: RuleSet<StorageRule>;
  readonly network: RuleSet<NetworkRule>;
  /** Without deny rules: what is not named is not sent. */
  readonly secrets: { readonly allow: readonly SecretRule[] };
  readonly limits: Limits;
}

const NOTHING = { allow: [], deny: [] };

/** Grants nothing: 128 MiB, 30 s, no files, no network, no environment. */
export const EMPTY_POLICY: Policy = {
  description: undefined,
  storage: NOTHING,
  network: NOTHING,
  environment: NOTHING,
  config: NOTHING,
  keyvalue: NOTHING,
  mcp: NOTHING,
  secrets: { allow: [] },
  limits: DEFAULT_LIMITS,
};
