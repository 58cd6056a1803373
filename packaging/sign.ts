/** Signs files as minisign does, with a key that has no password and is not in the repository. */
import { createHash, createPrivateKey, sign } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { VERSION } from "./contents.ts";

const SECRET_BYTES = 158;
const ID = { from: 54, to: 62 };
const SEED = { from: 62, to: 94 };
/** The PKCS #8 header before an Ed25519 seed. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export interface Signer {
  readonly id: Buffer;
  readonly seed: Buffer;
}

/** Reads a secret key that `minisign -G -W` wrote. */
export function signerIn(path: string): Signer {
  const [, line = ""] = readFileSync(path, "utf8").split("\n");
  const bytes = Buffer.from(line, "base64");
  if (bytes.length !== SECRET_BYTES) throw new Error(`${path} is no secret key of minisign`);
  if (bytes.readUInt16LE(2) !== 0) {
    throw new Error(`${path} has a password: sign with minisign -S, or make a key with -G -W`);
  }
  return { id: bytes.subarray(ID.from, ID.to), seed: bytes.subarray(SEED.from, SEED.to) };
}

/** Names the file and the version, so that a signature cannot be used for another file. */
export function commentFor(name: string, time: number): string {
  return `skein ${VERSION} ${name} ${new Date(time * 1_000).toISOString()}`;
}

/** The content of a .minisig file. */
export function signatureOf(content: Uint8Array, { id, seed }: Signer, comment: string): string {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8, seed]),
    format: "der",
    type: "pkcs8",
  });
  const own = sign(null, createHash("blake2b512").update(content).digest(), key);
  const globalSignature = sign(null, Buffer.concat([own, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature of Skein",
    Buffer.concat([Buffer.from("ED"), id, own]).toString("base64"),
    `trusted comment: ${comment}`,
    `${globalSignature.toString("base64")}\n`,
  ].join("\n");
}

export function signFile(folder: string, name: string, signer: Signer, time: number): void {
  const path = join(folder, name);
  const comment = commentFor(basename(name), time);
  writeFileSync(`${path}.minisig`, signatureOf(readFileSync(path), signer, comment));
}
