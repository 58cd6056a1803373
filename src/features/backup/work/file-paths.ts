// All file paths that the data refers to: uploads, their thumbnails, and avatars.
import type { Reader } from "../../../realm.ts";
import { blobNames } from "../../files/blob-names.ts";
import { avatarFile, emojiPath, picturePath } from "../../realm/picture-wire.ts";

type TablesWithFiles = Pick<Reader, "attachments" | "users" | "custom_emoji" | "realm">;

export interface ReferencedPath {
  readonly path: string;
  /** The file can be generated again and may not exist yet. */
  readonly is_derived: boolean;
}

export function* referencedPaths(reader: TablesWithFiles): Iterable<ReferencedPath> {
  for (const file of reader.attachments.range()) {
    const paths = blobNames(file);
    for (const path of paths) yield { path, is_derived: !path.startsWith("files/") };
  }
  for (const { avatar_source, avatar_key } of reader.users.range()) {
    if (avatar_source !== "U" || !avatar_key) continue;
    yield originalPath(picturePath(avatarFile(avatar_key)));
    yield originalPath(picturePath(avatarFile(avatar_key, true)));
  }
  for (const { file, still } of reader.custom_emoji.range()) {
    yield originalPath(emojiPath(file));
    if (still) yield originalPath(emojiPath(still));
  }
  for (const { settings } of reader.realm.range()) {
    const { icon_file, logo_file, night_logo_file } = settings;
    for (const file of [icon_file, logo_file, night_logo_file]) {
      if (file) yield originalPath(picturePath(file));
    }
  }
}

const originalPath = (path: string): ReferencedPath => ({ path, is_derived: false });
