// A secret key in a file beside the database, which a copy of the database lacks.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { syncNow } from "./system/durable.ts";

const FILE = "secrets";
const MODE = 0o600;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const SIGNING = "signing";
const DERIVING = "deriving";

export class Secret {
  private readonly signing: Buffer;
  private readonly deriving: Buffer;

  constructor(private readonly key: Buffer) {
    this.signing = createHmac("sha256", key).update(SIGNING).digest();
    this.deriving = createHmac("sha256", key).update(DERIVING).digest();
  }

  /**
   * Derives a key of 32 bytes for one purpose; it reveals nothing about keys for other purposes.
   */
  derive(purpose: string): Buffer {
    return createHmac("sha256", this.deriving).update(purpose).digest();
  }

  /** Signs a text, so that the server can recognize it as its own; in hexadecimal digits. */
  sign(text: string): string {
    return createHmac("sha256", this.signing).update(text).digest("hex");
  }

  /** Encrypts a text for one `context`; decrypting requires the same one. */
  seal(text: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(context));
    const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString("base64");
  }

  /** undefined if another directory's secret encrypted it, or the file was lost since. */
  open(sealed: string, context: string): string | undefined {
    const bytes = Buffer.from(sealed, "base64");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}

const LOST_MARKER = "secrets-lost";

/** Records that the data exists but the file with its secret does not. */
export function recordLostSecret(directory: string): void {
  if (!hasSecret(directory)) closeSync(openSync(`${directory}/${LOST_MARKER}`, "a", MODE));
}

/** When a server found the file missing and created another; undefined: never. */
export function secretLostAt(directory: string): Date | undefined {
  return statSync(`${directory}/${LOST_MARKER}`, { throwIfNoEntry: false })?.mtime;
}

export function hasSecret(directory: string): boolean {
  return existsSync(`${directory}/${FILE}`);
}

/** The secret of a data directory, created on first use. */
export function secretOf(directory: string): Secret {
  const path = `${directory}/${FILE}`;
  if (!hasSecret(directory)) write(directory, path, randomBytes(KEY_BYTES));
  chmodSync(path, MODE);
  const { sealing } = JSON.parse(readFileSync(path, "utf8")) as { sealing: string };
  const key = Buffer.from(sealing, "base64");
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} does not contain a key of ${KEY_BYTES} bytes`);
  return new Secret(key);
}

/** Writes the complete file or none, even after a power failure. */
function write(directory: string, path: string, key: Buffer): void {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, "w", MODE);
  writeSync(file, `${JSON.stringify({ sealing: key.toString("base64") })}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
  syncNow(directory);
}
