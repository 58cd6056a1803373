// What the listener knows of certificates: the one that counts, and that it may become another.

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
  /** What stands at `/.well-known/acme-challenge/` under a name. */
  challenge(token: string): string | undefined;
}

/** What a look at the files of a certificate has found. */
export type Looked =
  | { readonly state: "same" }
  | { readonly state: "taken"; readonly until: string }
  | { readonly state: "refused"; readonly words: string };
