// Creates the accounts of an archive, each with its avatar.
import { Refusal } from "../../../contract/errors/general.ts";
import type { Realm } from "../../../realm.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { avatarFrom } from "../../avatars/upload.ts";
import { blobsOf } from "../../files/blobs.ts";
import { MIB } from "../../files/rules.ts";
import { PICTURE_MIB_MAX } from "../../realm/picture-rules.ts";
import type { Item } from "../write-row.ts";
import { MovingRefused } from "../errors.ts";
import type { Reporting } from "../report.ts";
import { passwordItem, type Person, PEOPLE_STEP, personItem } from "./users.ts";
import type { Workspace } from "../source/workspace.ts";

/** Stores each picture before the row that names it. */
export async function* peopleItems(
  realm: Realm,
  import_id: number,
  workspace: Workspace,
  people: ReadonlyMap<string, Person>,
  reporting: Reporting,
): AsyncIterable<Item> {
  const { read } = realm;
  for (const person of people.values()) {
    if (read.imported.has(import_id, PEOPLE_STEP, person.key)) continue;
    const { picture, email } = person;
    // An account that existed before keeps its avatar.
    const isNew = !email || !read.users.findBy("email", foldedAddress(email));
    const avatar_key =
      picture && isNew ? await drawAvatar(realm, workspace, picture, reporting) : undefined;
    yield personItem(person, workspace.label, avatar_key);
    if (person.password !== undefined) yield passwordItem(import_id, person);
  }
}

/** Returns the key of the stored picture. */
async function drawAvatar(
  realm: Realm,
  workspace: Workspace,
  entry: string,
  reporting: Reporting,
): Promise<string | undefined> {
  try {
    const bytes = await bytesIn(workspace, entry);
    const { avatar_key, pictures } = await avatarFrom(bytes);
    for (const { path, bytes: drawing } of pictures) await blobsOf(realm).put(path, drawing);
    return avatar_key;
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof MovingRefused)) throw error;
    reporting.lost("A picture cannot be read.", entry);
    return undefined;
  }
}

/** Truncates a picture that is too large, which then cannot be read. */
async function bytesIn(workspace: Workspace, entry: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of workspace.stream(entry)) {
    pieces.push(Uint8Array.from(piece));
    if ((length += piece.length) > PICTURE_MIB_MAX * MIB) break;
  }
  return new Uint8Array(Buffer.concat(pieces));
}
