// Copies or downloads an executable to a path beside the one it will replace.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { CommandError } from "../flags.ts";
import { DIGEST } from "./signature.ts";

const SIZE_MAX = 1_024 * 1_024 * 1_024;
const SIGNATURE_MAX = 4_096;
/** The file is not executable before its signature is verified. */
const PRIVATE = 0o600;
const ADDRESS = /^https?:\/\//i;

/** Writes it to `path`, which must not exist, and returns its digest. */
export async function fetchExecutable(from: string, path: string): Promise<Uint8Array> {
  const hash = createHash(DIGEST);
  const file = await open(path, "wx", PRIVATE);
  try {
    let size = 0;
    for await (const piece of await contentOf(from)) {
      size += piece.length;
      if (size > SIZE_MAX) throw new CommandError(`${from} is too large for an executable`);
      hash.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return hash.digest();
}

/** Returns the content of the minisign signature file of an executable. */
export async function signatureOf(from: string): Promise<string> {
  const path = ADDRESS.test(from) ? signatureUrl(from) : `${from}.minisig`;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await contentOf(path)) {
    size += piece.length;
    if (size > SIGNATURE_MAX) throw new CommandError(`${path} is too large for a signature`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Inserts the suffix before the query string. */
function signatureUrl(address: string): string {
  const url = new URL(address);
  url.pathname += ".minisig";
  return url.href;
}

async function contentOf(from: string): Promise<AsyncIterable<Uint8Array>> {
  if (!ADDRESS.test(from)) return createReadStream(from);
  const response = await fetch(from).catch((error: Error) => {
    throw new CommandError(`cannot download ${from}: ${error.message}`);
  });
  if (!response.ok || !response.body)
    throw new CommandError(`${from} responded with status ${response.status}`);
  return response.body;
}
