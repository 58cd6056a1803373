// Copies the files and custom emoji in messages of an HTML archive, each once.
import { join } from "node:path";
import type { Reader, Realm } from "../../../realm.ts";
import { canReadFile, fileAt } from "../../files/access.ts";
import { blobsOf } from "../../files/blobs.ts";
import { blobName } from "../../files/blob-names.ts";
import { emojiPath } from "../../realm/picture-wire.ts";
import type { Viewer } from "../../rights/rules.ts";
import type { Reporting } from "../report.ts";
import { writeBytes } from "../write-bytes.ts";
import { archivedName } from "./file-names-rules.ts";

const EMOJI_FILE = /^[A-Za-z0-9_-]{1,100}\.[a-z]{3,4}$/;

export class Assets {
  /** Maps the path in the archive to the location of the bytes. */
  private readonly wanted = new Map<string, string>();

  constructor(
    private readonly realm: Realm,
    private readonly reader: Reader,
    private readonly viewer: Viewer,
    private readonly reporting: Reporting,
  ) {}

  /** Path of an upload in the archive; undefined if the viewer may not read it. */
  upload(path_id: string): string | undefined {
    const file = fileAt(this.reader, path_id);
    if (!file || !canReadFile(this.reader, this.viewer, file)) return undefined;
    const path = `files/${file.id}/${archivedName(file.name)}`;
    this.wanted.set(path, blobName(path_id));
    return path;
  }

  emoji(file: string): string | undefined {
    if (!EMOJI_FILE.test(file)) return undefined;
    const path = `emoji/${file}`;
    this.wanted.set(path, emojiPath(file));
    return path;
  }

  async copyTo(directory: string): Promise<void> {
    for (const [path, storedPath] of this.wanted) {
      const blob = await blobsOf(this.realm).find(storedPath);
      if (blob) {
        await writeBytes(join(directory, path), await blob.body());
        this.reporting.countWritten("files");
      } else this.reporting.lost("The bytes of a file are missing.", path);
    }
  }
}
