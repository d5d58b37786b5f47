// What an operator says about who may call, what, and how often: the sections of witbox.yaml that the gate takes, as
// data. Absent sections have defaults that grant nothing to the network.

export interface AuthenticationOptions {
  /** Keys made with `witbox key create` are taken. */
  readonly keys: boolean;
  readonly oauth: readonly OAuthOptions[];
  /** Client certificates signed by `listen.tls.client-ca` are taken. */
  readonly certificates: boolean;
}

/** One authorization server whose tokens are taken. */
export interface OAuthOptions {
  /** Also where its metadata is found: RFC 8414 or OpenID Connect discovery. */
  readonly issuer: string;
  /** What a token must be made for: this server's own public address, unless said otherwise. */
  readonly audience: readonly string[];
  /** Where its keys are, if not as its metadata says. */
  readonly jwks?: string;
  /** Every token must have these. */
  readonly scopes: readonly string[];
  /** The claim that names the groups of a subject. */
  readonly groupsClaim: string;
  readonly algorithms: readonly string[];
}

export interface AccessOptions {
  readonly rules: readonly AccessRule[];
}

/** All rules that name a caller count together; a deny beats every allow; nothing allowed means no. */
export interface AccessRule {
  /** `key:GLOB`, `subject:GLOB`, `certificate:GLOB`, `group:GLOB`, `scope:GLOB`, `local`, `anybody` or `*`. */
  readonly who: readonly string[];
  readonly allow: Reach;
  readonly deny: Reach;
  /** What arguments must satisfy besides the tool's own schema. */
  readonly arguments: readonly ArgumentRule[];
}

/** Globs over names: tools and management tools by name, components by id, resources by URI, prompts by name. */
export interface Reach {
  readonly tools: readonly string[];
  /** Everything of these components: their tools, resources and prompts. */
  readonly components: readonly string[];
  readonly resources: readonly string[];
  readonly prompts: readonly string[];
  /** Built-in tools, and what Witbox tells about components: `component://…`. */
  readonly management: readonly string[];
}

export interface ArgumentRule {
  /** Glob over tool names; a tool is meant by its bare and its qualified name alike. */
  readonly tool: string;
  /**
   * Keywords mean their type here: `maximum` lets no text pass, `pattern` no number. What JSON Schema would not check,
   * such as `format`, references and unknown keywords, is refused when the rules are read.
   */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A token bucket: `rate` tokens come back per second, at most `burst` are kept. */
export interface BucketOptions {
  readonly rate: number;
  readonly burst: number;
}

export interface LimitOptions {
  readonly caller: CallerLimits;
  readonly address: AddressLimits;
  readonly tools: readonly ToolLimits[];
  /** Calls that run at once, of all callers; others wait their turn, each caller in turn. */
  readonly concurrent: number;
  /** Calls of one caller that may wait. */
  readonly queue: number;
}

/** `null`: no such limit. */
export interface CallerLimits {
  readonly requests: BucketOptions | null;
  readonly concurrent: number | null;
  readonly sessions: number | null;
  /** Bytes of messages in both directions, per day in UTC. */
  readonly bytesPerDay: number | null;
}

export interface AddressLimits {
  readonly requests: BucketOptions | null;
  /** Failed attempts to prove who one is. */
  readonly failures: BucketOptions | null;
  readonly connections: number | null;
}

export interface ToolLimits {
  /** Glob over tool names. */
  readonly tool: string;
  /** Whose calls are counted together: those of one caller, or everybody's. */
  readonly per: 'caller' | 'all';
  readonly calls: BucketOptions | null;
  readonly concurrent: number | null;
}
