// A key in a file of its own beside the data: what it seals, a copy of the database does not give.
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

  /** A key of 32 bytes for one purpose; it says nothing of the key of another purpose. */
  derive(purpose: string): Buffer {
    return createHmac("sha256", this.deriving).update(purpose).digest();
  }

  /** Shows that a text is this server's own word; in hexadecimal digits. */
  sign(text: string): string {
    return createHmac("sha256", this.signing).update(text).digest("hex");
  }

  /** Seals a text for one place: only with the same `place` it opens again. */
  seal(text: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(place));
    const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(sealed).toString("base64");
  }

  /** undefined where another directory's secret sealed it, or the file has been lost since. */
  open(sealed: string, place: string): string | undefined {
    const bytes = Buffer.from(sealed, "base64");
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString();
    } catch {
      return undefined;
    }
  }
}

const LOST = "secrets-lost";

/** The data is there, and the file that opens what is sealed in it is not: notes so beside it. */
export function noteLostSecret(directory: string): void {
  if (!hasSecret(directory)) closeSync(openSync(`${directory}/${LOST}`, "a", MODE));
}

/** When a server found the file missing and made another; undefined: never. */
export function secretLostAt(directory: string): Date | undefined {
  return statSync(`${directory}/${LOST}`, { throwIfNoEntry: false })?.mtime;
}

export function hasSecret(directory: string): boolean {
  return existsSync(`${directory}/${FILE}`);
}

/** The secret of a data directory, made when it is first asked for. */
export function secretOf(directory: string): Secret {
  const path = `${directory}/${FILE}`;
  if (!hasSecret(directory)) write(directory, path, randomBytes(KEY_BYTES));
  chmodSync(path, MODE);
  const { sealing } = JSON.parse(readFileSync(path, "utf8")) as { sealing: string };
  const key = Buffer.from(sealing, "base64");
  if (key.length !== KEY_BYTES)
    throw new Error(`${path} does not hold a key of ${KEY_BYTES} bytes`);
  return new Secret(key);
}

/** All of it or nothing, also when the power goes. */
function write(directory: string, path: string, key: Buffer): void {
  const unfinished = `${path}.new`;
  const file = openSync(unfinished, "w", MODE);
  writeSync(file, `${JSON.stringify({ sealing: key.toString("base64") })}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(unfinished, path);
  syncNow(directory);
}
