// Exports the data of one person: profile, settings, own messages, reactions and uploaded files.
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { yieldToEventLoop } from "../../../async/yield.ts";
import type { Reader, Realm } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { blobsOf } from "../../files/blobs.ts";
import { blobName } from "../../files/blob-names.ts";
import { avatarFile, picturePath } from "../../realm/picture-wire.ts";
import { archivedName } from "../html/file-names-rules.ts";
import { MovingRefused } from "../errors.ts";
import { type MovingReport, Reporting } from "../report.ts";
import { inNewFolder, withSnapshot } from "../export-snapshot.ts";
import { writeBytes } from "../write-bytes.ts";
import { ownMessages, ownReactions, ownStars, personRecords } from "./records.ts";

const PERSON = "person";

const LINES_AT_ONCE = 100;
const OWNER_ONLY = 0o600;
const README = `This folder has the data of one account: what the person wrote, set and uploaded.
Files that end in .json and .jsonl are text: JSON, or one JSON value per line. Times are seconds
since 1970 in UTC. Messages of others are not included. Passwords and keys are not included.
`;

/** The folder must be new or empty. */
export function exportPerson(
  realm: Realm,
  directory: string,
  user_id: number,
): Promise<MovingReport> {
  return inNewFolder(directory, () => writeData(realm, directory, user_id));
}

async function writeData(realm: Realm, directory: string, user_id: number): Promise<MovingReport> {
  const reporting = new Reporting(PERSON, directory);
  await withSnapshot(realm, directory, async (reader) => {
    const user = reader.users.get(user_id);
    if (!user) throw new MovingRefused(`There is no user ${user_id}`);
    const write = (name: string, text: string) =>
      writeFileSync(join(directory, name), text, { mode: OWNER_ONLY, flag: "wx" });
    write("README.txt", README);
    for (const [name, value] of Object.entries(personRecords(reader, user))) {
      write(`${name}.json`, `${JSON.stringify(value, null, 2)}\n`);
    }
    const lists = {
      messages: ownMessages(reader, user),
      reactions: ownReactions(reader, user),
      starred: ownStars(reader, user),
    };
    for (const [name, lines] of Object.entries(lists)) {
      reporting.countWritten(name, await writeLines(join(directory, `${name}.jsonl`), lines));
    }
    await new Uploads(realm, reader, user, directory, reporting).write();
  });
  return reporting.end("exported");
}

async function writeLines(path: string, lines: Iterable<object>): Promise<number> {
  const file = openSync(path, "wx", OWNER_ONLY);
  let count = 0;
  try {
    for (const line of lines) {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
      if (++count % LINES_AT_ONCE === 0) await yieldToEventLoop();
    }
  } finally {
    closeSync(file);
  }
  return count;
}

class Uploads {
  constructor(
    private readonly realm: Realm,
    private readonly reader: Reader,
    private readonly user: User,
    private readonly directory: string,
    private readonly reporting: Reporting,
  ) {}

  async write(): Promise<void> {
    const { reader, user } = this;
    const files = reader.attachments.listBy("owner", user.user_id);
    const rows = files.map(({ id, name, size, content_type, create_time, path_id }) => {
      const path = `files/${id}/${archivedName(name)}`;
      return { place: blobName(path_id), row: { name, size, content_type, create_time, path } };
    });
    const list = JSON.stringify(
      rows.map(({ row }) => row),
      null,
      2,
    );
    writeFileSync(join(this.directory, "files.json"), `${list}\n`, { mode: OWNER_ONLY });
    for (const { place, row } of rows) await this.copy(place, row.path);
    const { avatar_source, avatar_key } = user;
    if (avatar_source === "U" && avatar_key) {
      await this.copy(picturePath(avatarFile(avatar_key, true)), "avatar.webp");
    }
  }

  private async copy(place: string, path: string): Promise<void> {
    const blob = await blobsOf(this.realm).find(place);
    if (!blob) return this.reporting.lost("The bytes of a file are missing.", path);
    await writeBytes(join(this.directory, path), await blob.body());
    this.reporting.countWritten("files");
  }
}
