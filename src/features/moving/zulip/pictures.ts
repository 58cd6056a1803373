// Imports images of a Zulip export: avatars, custom emoji, and the organization's icon and logos.
import { Refusal } from "../../../contract/errors/general.ts";
import type { Realm } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { avatarFrom } from "../../avatars/upload.ts";
import type { PictureFile } from "../../avatars/save.ts";
import { emojiPictures } from "../../emoji/actions.ts";
import { CUSTOM_EMOJI_MAX, emojiNameOf, hasEmojiLetters } from "../../emoji/rules.ts";
import { blobsOf } from "../../files/blobs.ts";
import { organizationPicture } from "../../organization/pictures.ts";
import { REALM_ID } from "../../realm/rules.ts";
import { bytesOf } from "../archive/archive.ts";
import { checksumOf, type Item, type Row } from "../write-row.ts";
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import { bool, idIn, int, text } from "./read/rows.ts";
import type { RecordKind, ZulipExport } from "./read/source.ts";
import { rowItem, stepOf } from "./steps.ts";

const LOST_PICTURE = "A picture is missing or cannot be read.";

export class ZulipPictures {
  constructor(
    private readonly realm: Realm,
    private readonly import_id: number,
    private readonly source: ZulipExport,
    private readonly reporting: Reporting,
  ) {}

  /** The accounts, each with its avatar. */
  async *users(users: Iterable<User>): AsyncIterable<Item> {
    const entries = await this.entriesBy("avatars", (row) => int(row, "user_profile_id"));
    for (const user of users) {
      const entry = entries.get(user.user_id);
      if (!entry || this.isDone(stepOf("users"), String(user.user_id))) {
        yield rowItem("users", user);
        continue;
      }
      const storedPictures = await this.storePictures(entry, avatarFrom);
      if (!storedPictures) yield rowItem("users", user);
      else {
        const { avatar_key } = storedPictures;
        yield rowItem("users", { ...user, avatar_source: "U", avatar_key } satisfies User);
      }
    }
  }

  async *emoji(): AsyncIterable<Item> {
    const entries = await this.entriesBy("emoji", (row) => {
      const path = text(row, "path") ?? text(row, "s3_path") ?? "";
      return path
        .replace(/\.original$/, "")
        .split("/")
        .at(-1);
    });
    let count = 0;
    for await (const { row, location } of this.source.rows("zerver_realmemoji")) {
      const [id, author] = [idIn(row), int(row, "author") ?? 0];
      const author_id = this.realm.read.users.has(author) ? author : 0;
      const name = emojiNameOf(text(row, "name") ?? "");
      if (id === undefined || this.isDone(stepOf("custom_emoji"), String(id))) continue;
      const entry = entries.get(text(row, "file_name") ?? "");
      const isKnown = hasEmojiLetters(name) && ++count <= CUSTOM_EMOJI_MAX;
      const storedPictures =
        entry && isKnown ? await this.storePictures(entry, emojiPictures) : undefined;
      if (!storedPictures) {
        if (!entry || !isKnown) this.reporting.lost(LOST_PICTURE, location);
        continue;
      }
      const { file, still } = storedPictures;
      const deactivated = bool(row, "deactivated") ?? false;
      yield rowItem("custom_emoji", { id, name, author_id, file, still, deactivated });
    }
  }

  /** The icon and logos, which are added to the organization's settings. */
  async *organization(): AsyncIterable<Item> {
    const entries = await this.entriesBy("realm_icons", (row) => {
      const name = (text(row, "path") ?? "").split("/").at(-1)!;
      return name.replace(/\.(original|png)$/, "");
    });
    for (const kind of ["icon", "logo", "night_logo"] as const) {
      const entry = entries.get(kind);
      const isUsed = text(this.source.realm, `${kind}_source`) === "U";
      if (!entry || !isUsed || this.isDone(stepOf("realm"), kind)) continue;
      const storedPictures = await this.storePictures(entry, (bytes) =>
        organizationPicture(kind, bytes),
      );
      if (storedPictures) yield pictureItem(this.import_id, kind, storedPictures.file);
    }
  }

  private isDone(step: number, source_key: string): boolean {
    return this.realm.read.imported.has(this.import_id, step, source_key);
  }

  /** Stores images before the rows that refer to them. */
  private async storePictures<T extends { pictures: readonly PictureFile[] }>(
    entry: string,
    make: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
  ): Promise<T | undefined> {
    try {
      const result = await make(new Uint8Array(await bytesOf(this.source.archive, entry)));
      for (const { path, bytes } of result.pictures) await blobsOf(this.realm).put(path, bytes);
      return result;
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof MovingRefused)) throw error;
      this.reporting.lost(LOST_PICTURE, entry);
      return undefined;
    }
  }

  /** Prefers the original of each image to smaller versions. */
  private async entriesBy<K extends string | number>(
    kind: RecordKind,
    keyOf: (row: Readonly<Record<string, unknown>>) => K | undefined,
  ): Promise<Map<K, string>> {
    const entries = new Map<K, string>();
    for await (const { row, entry } of this.source.records(kind)) {
      const key = keyOf(row);
      if (key === undefined || !entry || entry.includes("-medium.")) continue;
      if (entry.endsWith(".original") || !entries.has(key)) entries.set(key, entry);
    }
    return entries;
  }
}

type Kind = "icon" | "logo" | "night_logo";

function pictureItem(import_id: number, kind: Kind, file: string): Item {
  return {
    step: stepOf("realm"),
    source_key: kind,
    bytes: 500,
    write(tx) {
      const before = tx.realm.get(REALM_ID)!;
      const pictures = { [`${kind}_source`]: "U", [`${kind}_file`]: file };
      const realm = { ...before, settings: { ...before.settings, ...pictures } };
      tx.realm.put(realm);
      const mark = tx.imported.get(import_id, stepOf("realm"), String(REALM_ID))!;
      const checksum = checksumOf("realm", realm as unknown as Row);
      tx.imported.put({ ...mark, checksum });
      return { table: "organization pictures", row_key: [kind], checksum: 0 };
    },
  };
}
