// What a request brings along to prove who sends it, as a transport saw it and before anybody believed it.

export interface Credentials {
  readonly headers: {
    readonly authorization?: string | undefined;
    readonly 'x-api-key'?: string | undefined;
  };
  /** Where it came from, behind proxies that are believed. */
  readonly address: string | null;
  /** Only one that the operator's authority signed and whose key the client holds. */
  readonly certificate: ClientCertificate | null;
  /** Nobody between could read it: TLS, loopback, or a proxy that is believed. */
  readonly encrypted: boolean;
}

export interface ClientCertificate {
  /** SHA-256 of the whole certificate, in lower-case hexadecimal. */
  readonly fingerprint: string;
  /** Common name of the subject, or its first alternative name; empty if there is neither. */
  readonly name: string;
  /** Organizational units of the subject. */
  readonly units: readonly string[];
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}
