// Compresses, encrypts and hashes the contents of a backup, and the reverse.
import { closeSync, openSync, readSync } from "node:fs";
import { BackupDamaged, BackupFailed, type Pieces, type Target } from "./target.ts";

/** The runtime supports it, but the published types do not. */
const ZSTD = "zstd" as CompressionFormat;

/** A stored file of the target, packed. */
export interface StoredObject {
  name: string;
  size: number;
  sha256: string;
}

/** The bytes of a compressed file. The caller must read to the end before it trusts them. */
export function unpacked(target: Target, storedObject: StoredObject, identity?: string): Pieces {
  return decoded(target, storedObject, async (pieces) => {
    return streamed(await decrypted(pieces, identity), new DecompressionStream(ZSTD));
  });
}

/** The bytes of an uncompressed file. The caller must read to the end before it trusts them. */
export function unsealed(target: Target, storedObject: StoredObject, identity?: string): Pieces {
  return decoded(target, storedObject, (pieces) => decrypted(pieces, identity));
}

/** Reads the file to its end and returns a description of what is wrong with it. */
export async function damageOf(
  target: Target,
  storedObject: StoredObject,
): Promise<string | undefined> {
  const { name, size, sha256 } = storedObject;
  if ((await target.sizeOf(name)) === undefined) return `${name} is missing`;
  try {
    const measured = await measureOf(target, name);
    if (measured.size === size && measured.sha256 === sha256) return undefined;
  } catch (error) {
    if (!(error instanceof BackupDamaged)) throw error;
    return error.message;
  }
  return `${name} is damaged`;
}

/** The current size and checksum of a file of the target. */
export async function measureOf(target: Target, name: string): Promise<Omit<StoredObject, "name">> {
  const measure = new Measure();
  for await (const _ of measure.measured(target.read(name)));
  return measure.result();
}

/** If decoding fails, the object may be damaged, which is the more useful error. */
async function* decoded(
  target: Target,
  storedObject: StoredObject,
  decode: (pieces: Pieces) => Promise<Pieces>,
): Pieces {
  const measure = new Measure();
  try {
    yield* await decode(measure.measured(target.read(storedObject.name)));
    // A decoder may ignore bytes after its own end.
    if (
      measure.result().size === storedObject.size &&
      measure.result().sha256 === storedObject.sha256
    )
      return;
  } catch (error) {
    if (error instanceof BackupFailed) throw error;
    const fault = await damageOf(target, storedObject);
    if (fault !== undefined) throw new BackupDamaged(`${target.name}: ${fault}`, { cause: error });
    const text = `${storedObject.name} cannot be read: ${(error as Error).message}`;
    throw new BackupFailed(`${target.name}: ${text}`, { cause: error });
  }
  const fault = await damageOf(target, storedObject);
  if (fault !== undefined) throw new BackupDamaged(`${target.name}: ${fault}`);
}

/** Rejects invalid public keys before the backup starts. */
export async function checkRecipients(recipients: readonly string[]): Promise<void> {
  const { Encrypter } = await age();
  for (const recipient of recipients) {
    try {
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new BackupFailed(`${recipient} is not an age public key (age1…, from age-keygen)`);
    }
  }
}

/** The line with the private key in an age key file. */
export async function identityIn(text: string): Promise<string> {
  const line = text.split(/\r?\n/).find((item) => item.startsWith("AGE-SECRET-KEY-"));
  if (line === undefined) throw new BackupFailed("the file has no line AGE-SECRET-KEY-…");
  try {
    const { identityToRecipient } = await age();
    await identityToRecipient(line.trim());
  } catch {
    throw new BackupFailed("the line AGE-SECRET-KEY-… in the file is not a valid key");
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

  async *measured(pieces: Pieces): Pieces {
    for await (const piece of pieces) {
      this.add(piece);
      yield piece;
    }
  }

  result(): { size: number; sha256: string } {
    return { size: this.size, sha256: this.hash.copy().digest("hex") };
  }
}

const BLOCK_BYTES = 4 * 1_048_576;
const LEVEL = 3;

/** Compresses block by block; the blocks are independent and form one stream. */
export async function* compressed(pieces: Pieces): Pieces {
  let pending: Uint8Array[] = [];
  let size = 0;
  const block = () => Bun.zstdCompressSync(Buffer.concat(pending), { level: LEVEL });
  for await (const piece of pieces) {
    pending.push(piece);
    size += piece.length;
    if (size < BLOCK_BYTES) continue;
    yield block();
    pending = [];
    size = 0;
  }
  if (size > 0) yield block();
}

/** Like `compressed`, for a file, with one buffer for all blocks. */
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

/** Number of bytes read into the block; fewer than its size at the end of the file. */
function filled(file: number, block: Buffer): number {
  let offset = 0;
  while (offset < block.length) {
    const length = readSync(file, block, offset, block.length - offset, null);
    if (length === 0) break;
    offset += length;
  }
  return offset;
}

/** Loaded only when needed, because loading it takes time that the server's start can save. */
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

function streamed(pieces: Pieces, transform: DecompressionStream): Pieces {
  const through = transform as unknown as TransformStream<Uint8Array, Uint8Array>;
  return streamOf(pieces).pipeThrough(through) as unknown as Pieces;
}

/** Reads chunks on demand, and stops when the consumer cancels. */
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
