// Records what was sent to a target, since write-only credentials cannot list it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../../store/system/durable.ts";
import type { StoredObject } from "./work/packing.ts";
import type { Manifest } from "./sets.ts";
import type { Target } from "./work/target.ts";

type File = Manifest["files"][number];

export class SentObjects {
  private readonly places = new Map<string, File>();
  private readonly objects = new Map<string, StoredObject>();

  private constructor(private readonly path: string) {}

  /** `readers`: the recipients; objects encrypted for other recipients cannot be used. */
  static open(folder: string, target: Target, readers: string): SentObjects {
    const targetHash = new Bun.CryptoHasher("sha256")
      .update(`${target.name}\n${readers}`)
      .digest("hex");
    const uploadedObjects = new SentObjects(join(folder, `sent-${targetHash.slice(0, 16)}.json`));
    try {
      const entries = JSON.parse(readFileSync(uploadedObjects.path, "utf8")) as [
        File,
        StoredObject,
      ][];
      for (const [file, object] of entries) uploadedObjects.add(file, object);
    } catch {
      // If the record is missing or incomplete, everything is sent again.
    }
    return uploadedObjects;
  }

  add(file: File, object: StoredObject): void {
    this.places.set(file.place, file);
    this.objects.set(`${file.sha256} ${file.size}`, object);
  }

  file(path: string): File | undefined {
    return this.places.get(path);
  }

  /** The stored object with these bytes. */
  object({ sha256, size }: Pick<File, "sha256" | "size">): StoredObject | undefined {
    return this.objects.get(`${sha256} ${size}`);
  }

  /** Keeps the records of the newest set, which is never pruned. */
  async save(files: readonly File[]): Promise<void> {
    const rows = files.map((file) => [file, this.object(file)!]);
    await writeDurably(this.path, "w", textOf(JSON.stringify(rows)));
  }
}

async function* textOf(text: string) {
  yield Buffer.from(text);
}
