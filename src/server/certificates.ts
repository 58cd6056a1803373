// The certificate of a listener, which can change.

/** The certificate and the key in PEM; the certificate includes its chain. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly pair: Pair;
  /**
   * Whether browsers trust it without configuration; only then does the server send
   * Strict-Transport-Security.
   */
  readonly isTrusted: boolean;
  /** Called when the certificate changes; the listener sets it. */
  onChange: () => void;
  /** Response of `/.well-known/acme-challenge/` for a token. */
  challenge(token: string): string | undefined;
}

/** Result of reading the files of a certificate. */
export type ReloadResult =
  | { readonly state: "same" }
  | { readonly state: "taken"; readonly until: string }
  | { readonly state: "refused"; readonly words: string };
