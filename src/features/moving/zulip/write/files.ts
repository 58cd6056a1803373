// Writes uploaded files and images of a Zulip export, with the list of each folder.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Reader, Realm } from "../../../../realm.ts";
import type { Attachment } from "../../../../schema/records-messages.ts";
import { syncNow } from "../../../../store/system/durable.ts";
import { blobsOf } from "../../../files/blobs.ts";
import { blobName } from "../../../files/blob-names.ts";
import { avatarFile, emojiPath, picturePath } from "../../../realm/picture-wire.ts";
import type { Reporting } from "../../report.ts";
import { writeBytes } from "../../write-bytes.ts";
import type { RecordKind } from "../read/source.ts";
import { JsonFile, type OutRow } from "./json-file.ts";
import { REALM } from "./organization-tables.ts";
import type { Scope } from "./scope.ts";

const LOST_FILE = "The bytes of a file are missing.";

export class FileFolders {
  constructor(
    private readonly realm: Realm,
    private readonly reader: Reader,
    private readonly scope: Scope,
    private readonly directory: string,
    private readonly reporting: Reporting,
  ) {}

  async write(): Promise<void> {
    const attachments = new JsonFile(join(this.directory, "attachment.json"));
    try {
      const count = await attachments.table("zerver_attachment", this.attachmentRows());
      this.reporting.countWritten("files", count);
      attachments.close();
    } catch (error) {
      attachments.abandon();
      throw error;
    }
    await this.folder("uploads", this.uploads());
    await this.folder("avatars", this.avatars());
    await this.folder("emoji", this.emoji());
    await this.folder("realm_icons", this.icons());
  }

  private async folder(kind: RecordKind, rows: AsyncIterable<OutRow>): Promise<void> {
    mkdirSync(join(this.directory, kind), { recursive: true, mode: 0o700 });
    const file = new JsonFile(join(this.directory, kind, "records.json"));
    try {
      await file.list(rows);
      file.close();
    } catch (error) {
      file.abandon();
      throw error;
    }
  }

  private *attachmentRows(): Iterable<OutRow> {
    for (const attachment of this.exported()) {
      const { id, name, path_id, user_id, create_time, size, content_type } = attachment;
      const messages = this.messagesOf(attachment);
      const about = { id, file_name: name, path_id, owner: user_id, realm: REALM, create_time };
      const rights = { is_realm_public: false, is_web_public: false };
      yield { ...about, size, content_type, ...rights, messages, scheduled_messages: [] };
    }
  }

  private async *uploads(): AsyncIterable<OutRow> {
    for (const { path_id, user_id, size, content_type, create_time } of this.exported()) {
      if (!(await this.copy(blobName(path_id), "uploads", path_id))) continue;
      const user = this.reader.users.get(user_id);
      const user_profile_email = user ? this.scope.addressOf(user) : "";
      const location = { path: path_id, s3_path: path_id, realm_id: REALM };
      const owner = { user_profile_id: user_id, user_profile_email };
      yield { ...location, ...owner, size, content_type, last_modified: create_time };
    }
  }

  /** Zulip creates thumbnails itself. */
  private async *avatars(): AsyncIterable<OutRow> {
    for (const user of this.reader.users.range()) {
      const { user_id, avatar_source, avatar_key, avatar_version } = user;
      if (avatar_source !== "U" || !avatar_key) continue;
      for (const end of [".png", ".original"]) {
        const path = `${REALM}/${user_id}${end}`;
        const medium = picturePath(avatarFile(avatar_key, true));
        if (!(await this.copy(medium, "avatars", path))) continue;
        const location = { path, s3_path: path, realm_id: REALM, avatar_version };
        const user_profile_email = this.scope.addressOf(user);
        yield { ...location, user_profile_id: user_id, user_profile_email };
      }
    }
  }

  private async *emoji(): AsyncIterable<OutRow> {
    for (const { file, name, author_id, deactivated } of this.reader.custom_emoji.range()) {
      for (const end of ["", ".original"]) {
        const path = `${REALM}/emoji/images/${file}${end}`;
        if (!(await this.copy(emojiPath(file), "emoji", path))) continue;
        const emoji = { file_name: file, name, author: author_id, deactivated, realm_id: REALM };
        yield { ...emoji, path, s3_path: path };
      }
    }
  }

  private async *icons(): AsyncIterable<OutRow> {
    const { icon_file, logo_file, night_logo_file } = this.reader.realm.get(REALM)!.settings;
    const pictures = { icon: icon_file, logo: logo_file, night_logo: night_logo_file };
    for (const [kind, file] of Object.entries(pictures)) {
      if (!file) continue;
      for (const end of [".original", ".png"]) {
        const path = `${REALM}/${kind}${end}`;
        if (await this.copy(picturePath(file), "realm_icons", path)) {
          yield { realm_id: REALM, path, s3_path: path };
        }
      }
    }
  }

  private *exported(): Iterable<Attachment> {
    for (const file of this.reader.attachments.range()) {
      if (this.scope.isWhole(file.user_id) || this.messagesOf(file).length > 0) yield file;
    }
  }

  private messagesOf({ id }: Attachment): number[] {
    const uses = this.reader.attachment_uses.range({ from: [id], to: [id + 1] });
    return [...uses].flatMap(({ message_id }) => {
      const message = this.reader.messages.get(message_id);
      return message && this.scope.has(message) ? [message_id] : [];
    });
  }

  private async copy(place: string, kind: RecordKind, path: string): Promise<boolean> {
    const blob = await blobsOf(this.realm).find(place);
    if (!blob) {
      this.reporting.lost(LOST_FILE, place);
      return false;
    }
    const target = join(this.directory, kind, path);
    await writeBytes(target, await blob.body());
    syncNow(target);
    return true;
  }
}
