// Signatures as minisign makes them: of the digest of a file, with a comment that is signed too.
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** What minisign signs of a file. */
export const DIGEST = "blake2b512";
const KEY_KIND = "Ed";
/** Of a digest; that of a whole file has another. */
const SIGNATURE_KIND = "ED";
const ID = { from: 2, to: 10 };
const KEY_BYTES = 42;
const SIGNATURE_BYTES = 74;
const COMMENT = "trusted comment: ";
/** What stands before the 32 bytes of an Ed25519 key where others have it. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");

export class SignatureWrong extends Error {}

interface Key {
  readonly id: string;
  readonly key: KeyObject;
}

export interface Signed {
  /** What was signed along with the file. */
  readonly comment: string;
  /** Refuses a file whose digest is another. */
  check(digest: Uint8Array): void;
}

/** What a .minisig file says, which is known to be true before the file itself is there. */
export function signedIn(text: string, keys: readonly string[]): Signed {
  const [, signature = "", said = "", whole = ""] = text.split("\n").map((line) => line.trim());
  const bytes = Buffer.from(signature, "base64");
  if (bytes.length !== SIGNATURE_BYTES || !said.startsWith(COMMENT)) {
    throw new SignatureWrong("its signature is none of minisign");
  }
  if (bytes.toString("latin1", 0, ID.from) !== SIGNATURE_KIND) {
    throw new SignatureWrong("its signature is of a kind that minisign made long ago");
  }
  const id = idOf(bytes);
  const by = keys.map(keyOf).find((one) => one.id === id);
  if (!by) throw new SignatureWrong("it is signed with a key that this executable does not know");
  const own = bytes.subarray(ID.to);
  const comment = said.slice(COMMENT.length);
  const signed = Buffer.concat([own, Buffer.from(comment)]);
  if (!verify(null, signed, by.key, Buffer.from(whole, "base64"))) {
    throw new SignatureWrong("the comment of its signature is not what was signed");
  }
  return {
    comment,
    check(digest) {
      if (!verify(null, digest, by.key, own)) throw new SignatureWrong("it is not what was signed");
    },
  };
}

/** As minisign prints it: one line in base64. */
function keyOf(text: string): Key {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("latin1", 0, ID.from) !== KEY_KIND) {
    throw new SignatureWrong(`the key that was given to the build is none of minisign: ${text}`);
  }
  const der = Buffer.concat([SPKI, bytes.subarray(ID.to)]);
  return { id: idOf(bytes), key: createPublicKey({ key: der, format: "der", type: "spki" }) };
}

const idOf = (bytes: Buffer) => bytes.toString("hex", ID.from, ID.to);
