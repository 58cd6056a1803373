// Compresses, encrypts and hashes the contents of a backup, and the reverse.
import { closeSync, openSync, readSync } from "node:fs";
import { BackupFailed, type Pieces, type Target } from "./target.ts";

/** The runtime has it, and the published types do not. */
const ZSTD = "zstd" as CompressionFormat;

/** A file of the target, as it lies there. */
export interface Stored {
  name: string;
  size: number;
  sha256: string;
}

/** The bytes of what was put compressed; what follows has to wait for the end. */
export function unpacked(target: Target, stored: Stored, identity?: string): Pieces {
  return decoded(target, stored, async (pieces) => {
    return streamed(await decrypted(pieces, identity), new DecompressionStream(ZSTD));
  });
}

/** The bytes of what was put as it is; what follows has to wait for the end. */
export function unsealed(target: Target, stored: Stored, identity?: string): Pieces {
  return decoded(target, stored, (pieces) => decrypted(pieces, identity));
}

/** Reads it to the end, and says in words what is wrong with it. */
export async function faultOf(target: Target, stored: Stored): Promise<string | undefined> {
  const { name, size, sha256 } = stored;
  if ((await target.sizeOf(name)) === undefined) return `${name} is missing`;
  const measure = new Measure();
  for await (const _ of measure.through(target.read(name)));
  const found = measure.taken();
  if (found.size === size && found.sha256 === sha256) return undefined;
  return `${name} is damaged`;
}

/** If decoding fails, the object may be damaged, which is the more useful error. */
async function* decoded(
  target: Target,
  stored: Stored,
  decode: (pieces: Pieces) => Promise<Pieces>,
): Pieces {
  const measure = new Measure();
  try {
    yield* await decode(measure.through(target.read(stored.name)));
    // A decoder may leave what comes after its own end.
    if (measure.taken().size === stored.size && measure.taken().sha256 === stored.sha256) return;
  } catch (error) {
    if (error instanceof BackupFailed) throw error;
    const fault = await faultOf(target, stored);
    const words = fault ?? `${stored.name} cannot be read: ${(error as Error).message}`;
    throw new BackupFailed(`${target.name}: ${words}`, { cause: error });
  }
  const fault = await faultOf(target, stored);
  if (fault !== undefined) throw new BackupFailed(`${target.name}: ${fault}`);
}

/** Refuses what is no key, before anything is done. */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await age();
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new BackupFailed(`${recipient} is no recipient: they are age1…, as age-keygen says`);
    }
  }
}

/** The line of an age key file that is the key. */
export async function identityIn(text: string): Promise<string> {
  const line = text.split(/\r?\n/).find((one) => one.startsWith("AGE-SECRET-KEY-"));
  if (line === undefined) throw new BackupFailed("the file has no line AGE-SECRET-KEY-…");
  try {
    const { identityToRecipient } = await age();
    await identityToRecipient(line.trim());
  } catch {
    throw new BackupFailed("the file's AGE-SECRET-KEY-… is no key");
  }
  return line.trim();
}

export class Measure {
  private readonly hash = new Bun.CryptoHasher("sha256");
  private size = 0;

  add(piece: Uint8Array): void {
    this.hash.update(piece);
    this.size += piece.length;
  }

  async *through(pieces: Pieces): Pieces {
    for await (const piece of pieces) {
      this.add(piece);
      yield piece;
    }
  }

  taken(): { size: number; sha256: string } {
    return { size: this.size, sha256: this.hash.copy().digest("hex") };
  }
}

const BLOCK_BYTES = 4 * 1_048_576;
const LEVEL = 3;

/** Block by block, each whole in itself: they follow each other as one stream. */
export async function* compressed(pieces: Pieces): Pieces {
  let held: Uint8Array[] = [];
  let size = 0;
  const block = () => Bun.zstdCompressSync(Buffer.concat(held), { level: LEVEL });
  for await (const piece of pieces) {
    held.push(piece);
    size += piece.length;
    if (size < BLOCK_BYTES) continue;
    yield block();
    held = [];
    size = 0;
  }
  if (size > 0) yield block();
}

/** The same of a file, whose blocks are all read to one place. */
export async function* compressedFile(path: string): Pieces {
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  const file = openSync(path, "r");
  try {
    for (let length = BLOCK_BYTES; length === BLOCK_BYTES;) {
      length = filled(file, block);
      if (length > 0) yield Bun.zstdCompressSync(block.subarray(0, length), { level: LEVEL });
    }
  } finally {
    closeSync(file);
  }
}

/** How much of it was; less than all at the end of the file. */
function filled(file: number, block: Buffer): number {
  let at = 0;
  while (at < block.length) {
    const length = readSync(file, block, at, block.length - at, null);
    if (length === 0) break;
    at += length;
  }
  return at;
}

/** Much of it computes as soon as it is there, which no start of a server needs. */
const age = () => import("age-encryption");

export async function encrypted(pieces: Pieces, recipients: readonly string[]): Promise<Pieces> {
  if (recipients.length === 0) return pieces;
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return (await encrypter.encrypt(streamOf(pieces))) as unknown as Pieces;
}

async function decrypted(pieces: Pieces, identity?: string): Promise<Pieces> {
  if (identity === undefined) return pieces;
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return (await decrypter.decrypt(streamOf(pieces))) as unknown as Pieces;
}

function streamed(pieces: Pieces, by: DecompressionStream): Pieces {
  const through = by as unknown as TransformStream<Uint8Array, Uint8Array>;
  return streamOf(pieces).pipeThrough(through) as unknown as Pieces;
}

/** Pulled piece by piece, and let go of when nobody reads on. */
function streamOf(pieces: Pieces): ReadableStream<Uint8Array> {
  const from = pieces[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(out) {
        const { value, done } = await from.next();
        if (done) out.close();
        else out.enqueue(value);
      },
      async cancel() {
        await from.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
