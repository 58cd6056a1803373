// Verifies minisign signatures of a file's digest, with a signed comment.
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** The digest that minisign signs. */
export const DIGEST = "blake2b512";
const KEY_KIND = "Ed";
/** Signature of a digest; signatures of whole files have another type. */
const SIGNATURE_KIND = "ED";
const ID = { from: 2, to: 10 };
const KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;
const COMMENT = "trusted comment: ";
/** Prefix of a DER-encoded Ed25519 public key. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export class SignatureWrong extends Error {}

interface Key {
  readonly id: string;
  readonly key: KeyObject;
}

interface VerifiedSignature {
  /** The signed comment. */
  readonly comment: string;
  /** @throws if the file's digest differs */
  check(digest: Uint8Array): void;
}

/** Verifies a .minisig file before the file itself is downloaded. */
export function signedIn(text: string, keys: readonly string[]): VerifiedSignature {
  const [, signature = "", message = "", keySignature = ""] = text
    .split("\n")
    .map((line) => line.trim());
  const bytes = Buffer.from(signature, "base64");
  if (bytes.length !== SIGNATURE_BYTES || !message.startsWith(COMMENT)) {
    throw new SignatureWrong("its signature is not in minisign format");
  }
  if (bytes.toString("latin1", 0, ID.from) !== SIGNATURE_KIND) {
    throw new SignatureWrong("its signature uses an outdated minisign format");
  }
  const id = idOf(bytes);
  const signer = keys.map(keyOf).find((key) => key.id === id);
  if (!signer)
    throw new SignatureWrong("it is signed with a key that this executable does not trust");
  const signatureBytes = bytes.subarray(ID.to);
  const comment = message.slice(COMMENT.length);
  const signed = Buffer.concat([signatureBytes, Buffer.from(comment)]);
  if (!verify(null, signed, signer.key, Buffer.from(keySignature, "base64"))) {
    throw new SignatureWrong("the trusted comment does not match its signature");
  }
  return {
    comment,
    check(digest) {
      if (!verify(null, digest, signer.key, signatureBytes))
        throw new SignatureWrong("it does not match its signature");
    },
  };
}

/** Parses a key in minisign's format: one line of base64. */
function keyOf(text: string): Key {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("latin1", 0, ID.from) !== KEY_KIND) {
    throw new SignatureWrong(`the key passed to the build is not a minisign key: ${text}`);
  }
  const der = Buffer.concat([SPKI, bytes.subarray(ID.to)]);
  return { id: idOf(bytes), key: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

const idOf = (bytes: Buffer) => bytes.toString("hex", ID.from, ID.to);
