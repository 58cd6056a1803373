// The certificate of a listener, which can change.

/** Both in PEM; the certificate with what it is signed by. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface Certificates {
  readonly pair: Pair;
  /** Whether browsers believe it unasked; only then they are told to come no other way. */
  readonly isTrusted: boolean;
  /** Called when there is another pair; the listener sets it. */
  onChange: () => void;
  /** Response of `/.well-known/acme-challenge/` for a token. */
  challenge(token: string): string | undefined;
}

/** Result of reading the files of a certificate. */
export type Looked =
  | { readonly state: "same" }
  | { readonly state: "taken"; readonly until: string }
  | { readonly state: "refused"; readonly words: string };
