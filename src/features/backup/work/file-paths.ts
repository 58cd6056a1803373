// All file paths that the data refers to: uploads, their thumbnails, and avatars.
import type { Reader } from "../../../realm.ts";
import { placesOf } from "../../files/blob-names.ts";
import { avatarFile, emojiPlace, picturePlace } from "../../realm/picture-wire.ts";

type TablesWithFiles = Pick<Reader, "attachments" | "users" | "custom_emoji" | "realm">;

export interface ReferencedPath {
  readonly path: string;
  /** The file can be generated again and may not exist yet. */
  readonly is_derived: boolean;
}

export function* referencedPaths(reader: TablesWithFiles): Iterable<ReferencedPath> {
  for (const file of reader.attachments.range()) {
    const paths = placesOf(file);
    for (const path of paths) yield { path, is_derived: !path.startsWith("files/") };
  }
  for (const { avatar_source, avatar_key } of reader.users.range()) {
    if (avatar_source !== "U" || !avatar_key) continue;
    yield originalPath(picturePlace(avatarFile(avatar_key)));
    yield originalPath(picturePlace(avatarFile(avatar_key, true)));
  }
  for (const { file, still } of reader.custom_emoji.range()) {
    yield originalPath(emojiPlace(file));
    if (still) yield originalPath(emojiPlace(still));
  }
  for (const { settings } of reader.realm.range()) {
    const { icon_file, logo_file, night_logo_file } = settings;
    for (const file of [icon_file, logo_file, night_logo_file]) {
      if (file) yield originalPath(picturePlace(file));
    }
  }
}

const originalPath = (path: string): ReferencedPath => ({ path, is_derived: false });
