// Stores certificates and keys in files of the data directory that only its owner can read.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ValidatedPair, checkedPair, PairInvalid } from "./pair.ts";

const PRIVATE_MODE = 0o600;
const PRIVATE_DIRECTORY_MODE = 0o700;
const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----\n?/;

export class StoredPairs {
  private readonly folder: string;

  constructor(data: string) {
    this.folder = join(data, "tls");
  }

  /** Returns undefined if there is no usable certificate. */
  pair(name: string): ValidatedPair | undefined {
    const text = this.text(name);
    const [key = ""] = KEY.exec(text ?? "") ?? [];
    if (text === undefined || key === "") return undefined;
    try {
      return checkedPair(text.replace(key, ""), key);
    } catch (error) {
      if (error instanceof PairInvalid) return undefined;
      throw error;
    }
  }

  /** Key and certificate are in one file, so that they always match. */
  store(name: string, { key, cert }: ValidatedPair): void {
    this.write(name, `${key.trimEnd()}\n${cert}`);
  }

  text(name: string): string | undefined {
    const path = join(this.folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  }

  /** Writes the file completely or not at all. */
  write(name: string, text: string): void {
    mkdirSync(this.folder, { recursive: true, mode: PRIVATE_DIRECTORY_MODE });
    const path = join(this.folder, name);
    writeFileSync(`${path}.part`, text, { mode: PRIVATE_MODE, flush: true });
    chmodSync(`${path}.part`, PRIVATE_MODE);
    renameSync(`${path}.part`, path);
  }
}
