// Where the key comes from that secrets are encrypted with: the `secrets.key` section of witbox.yaml, as data.

export type SecretKeyOptions =
  /** A file with the key, made by the first `witbox secret set`. */
  | { readonly file: string }
  /** A variable of the environment with the key in base64, or a passphrase. */
  | { readonly environment: string }
  /** The keyring of the desktop or of macOS. */
  | { readonly keyring: true };
