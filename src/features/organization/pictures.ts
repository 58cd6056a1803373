// The pictures of the organization: its icon, and its logos for light and dark.
import Type from "typebox";
import { malformed, missingParameter, mustBeAdministrator } from "../../contract/errors/general.ts";
import type { PlainEvent } from "../../contract/events.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { bool, endpoint, optional } from "../../endpoint.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { RealmSettings, User } from "../../schema/records.ts";
import { storePictures, readPicture } from "../avatars/save.ts";
import { squareOf } from "../avatars/crop.ts";
import { discardLater } from "../files/discard.ts";
import { FIT_INSIDE, inspectPicture, withPictureMemory } from "../files/images.ts";
import { secret } from "../files/blob-names.ts";
import {
  picturePath,
  realmIconPath,
  realmLogoPath,
  realmPictureFile,
  type RealmPicture,
} from "../realm/picture-wire.ts";
import { ICON_PIXELS, LOGO, PICTURE_MIB_MAX } from "../realm/picture-rules.ts";
import { REALM_ID } from "../realm/rules.ts";
import { isAdministrator } from "../rights/rules.ts";

const QUALITY = 90;

function changePicture(tx: Writer, kind: RealmPicture, file: string | null): void {
  const realm = tx.realm.get(REALM_ID)!;
  const before = realm.settings;
  const none = kind === "icon" ? "G" : "D";
  const settings = {
    ...before,
    [`${kind}_source`]: file === null ? none : "U",
    [`${kind}_file`]: file,
    ...(kind === "icon" && { icon_version: before.icon_version + 1 }),
  };
  tx.realm.put({ ...realm, settings });
  tx.emit(pictureChanged(settings, kind), { to: "realm" });
  const replaced = before[`${kind}_file`];
  if (replaced) discardLater(tx, [picturePath(replaced)]);
}

function pictureChanged(settings: RealmSettings, kind: RealmPicture): PlainEvent {
  const url =
    kind === "icon" ? realmIconPath(settings) : realmLogoPath(settings, kind === "night_logo");
  const data = { [`${kind}_url`]: url, [`${kind}_source`]: settings[`${kind}_source`] };
  return { type: "realm", op: "update_dict", property: kind, data };
}

/** Returns the picture in its size, under a new name. */
export async function organizationPicture(kind: RealmPicture, bytes: Uint8Array<ArrayBuffer>) {
  const { bytes: legible } = await inspectPicture(new Blob([bytes]));
  const image = kind === "icon" ? await squareOf(legible, ICON_PIXELS) : await logoOf(legible);
  const file = realmPictureFile(secret());
  return { file, pictures: [{ path: picturePath(file), bytes: image }] };
}

async function upload(
  realm: Realm,
  user: User,
  kind: RealmPicture,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const { file, pictures } = await organizationPicture(kind, bytes);
  await storePictures(realm, user, pictures, (tx, actingUser) => {
    if (!isAdministrator(actingUser)) throw mustBeAdministrator();
    changePicture(tx, kind, file);
  });
}

function logoOf(bytes: Blob): Promise<Uint8Array> {
  const { width, height } = LOGO;
  return withPictureMemory(bytes, (image) =>
    image.resize(width, height, FIT_INSIDE).webp({ quality: QUALITY }).bytes(),
  );
}

async function remove(realm: Realm, kind: RealmPicture): Promise<void> {
  await realm.write((tx) => {
    if (tx.settings[`${kind}_source`] === "U") changePicture(tx, kind, null);
  });
}

const pictureShape = Type.Object({ icon_url: Type.String() });

export const postIcon = endpoint({
  summary: "Set the organization's icon",
  tag: "Organization",
  params: {},
  body: "raw",
  answer: pictureShape,
  refuses: ["BAD_IMAGE"],
  async run({ realm, user, request }) {
    const { bytes } = await readPicture(request, "icon", PICTURE_MIB_MAX);
    await upload(realm, user, "icon", bytes);
    return { icon_url: realmIconPath(realm.read.settings) };
  },
});

export const deleteIcon = endpoint({
  summary: "Remove the organization's icon",
  tag: "Organization",
  params: {},
  answer: pictureShape,
  async run({ realm }) {
    await remove(realm, "icon");
    return { icon_url: realmIconPath(realm.read.settings) };
  },
});

export const postLogo = endpoint({
  summary: "Set the organization's logo",
  tag: "Organization",
  params: { night: optional(bool) },
  body: "raw",
  answer: nothing,
  refuses: ["BAD_IMAGE"],
  async run({ realm, user, request }, { night }) {
    const { bytes, fields } = await readPicture(request, "logo", PICTURE_MIB_MAX);
    await upload(realm, user, logoKind(night ?? isNightLogo(fields)), bytes);
    return {};
  },
});

export const deleteLogo = endpoint({
  summary: "Remove the organization's logo",
  tag: "Organization",
  params: { night: bool },
  answer: nothing,
  async run({ realm }, { night }) {
    await remove(realm, logoKind(night));
    return {};
  },
});

const logoKind = (isNight: boolean): RealmPicture => (isNight ? "night_logo" : "logo");

/** Reads `night` from the form: the endpoint parses the body itself because it contains a file. */
function isNightLogo(fields: ReadonlyMap<string, string>): boolean {
  const night = fields.get("night");
  if (night === undefined) throw missingParameter("night");
  if (night !== "true" && night !== "false") throw malformed("night is not a boolean");
  return night === "true";
}

export const getIcon = endpoint({
  summary: "Get the organization's icon",
  tag: "Organization",
  params: {},
  run: ({ realm, request }) => redirectTo(request, realmIconPath(realm.read.settings)),
});

export const getLogo = endpoint({
  summary: "Get the organization's logo",
  tag: "Organization",
  params: { night: bool },
  run: ({ realm, request }, { night }) =>
    redirectTo(request, realmLogoPath(realm.read.settings, night)),
});

function redirectTo(request: Request, path: string): Response {
  const { search } = new URL(request.url);
  const Location = search.length > 1 ? `${path}&${search.slice(1)}` : path;
  return new Response(null, { status: 302, headers: { Location } });
}
