// A person's own picture: uploaded, and given up.
import { endpoint } from "../../endpoint.ts";
import { avatarChangesDisabled } from "../../errors-realm.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { discardLater } from "../files/discard.ts";
import { inTurn } from "../files/keep.ts";
import { seen } from "../files/picture.ts";
import { secret } from "../files/places.ts";
import { isAdministrator } from "../users/rules.ts";
import { avatarUrl, avatarUrlMedium, userUpdated } from "../users/wire.ts";
import { keepPictures, type PictureFile, readPicture } from "./keep.ts";
import { AVATAR_PIXELS, AVATAR_PIXELS_MEDIUM, PICTURE_MIB_MAX } from "./rules.ts";
import { squareOf } from "./square.ts";
import { avatarFile, picturePlace } from "./wire.ts";

type Look = Pick<User, "avatar_source"> & { avatar_key: string | null };

/** Also of a bot, by whoever may change it. */
export function changeAvatar(tx: Writer, user_id: number, look: Look): void {
  const user = tx.users.get(user_id)!;
  const { avatar_key } = user;
  const isReplaced = avatar_key && avatar_key !== look.avatar_key;
  if (isReplaced) discardLater(tx, avatarPlaces(avatar_key));
  const changed = { ...user, ...look, avatar_version: user.avatar_version + 1 };
  tx.users.put(changed);
  const { avatar_source, avatar_version } = changed;
  const told = {
    avatar_source,
    avatar_url: avatarUrl(changed, false),
    avatar_url_medium: avatarUrlMedium(changed),
    avatar_version,
  };
  tx.emit(userUpdated(user_id, told), { to: "seers", user_id });
}

/** What an uploaded picture becomes: both sizes, under a new key. */
export async function avatarFrom(realm: Realm, bytes: Uint8Array<ArrayBuffer>) {
  const { bytes: legible } = await inTurn(realm)(() => seen(new Blob([bytes])));
  const avatar_key = secret();
  const [small, medium] = avatarPlaces(avatar_key);
  const pictures: PictureFile[] = [
    { place: small, bytes: await squareOf(realm, legible, AVATAR_PIXELS) },
    { place: medium, bytes: await squareOf(realm, legible, AVATAR_PIXELS_MEDIUM) },
  ];
  return { avatar_key, pictures };
}

function avatarPlaces(key: string): [small: string, medium: string] {
  return [picturePlace(avatarFile(key)), picturePlace(avatarFile(key, true))];
}

function checkMayChange(reader: Reader, user: User): void {
  if (!reader.settings.avatar_changes_disabled || isAdministrator(user)) return;
  throw avatarChangesDisabled();
}

export const postAvatar = endpoint({
  params: {},
  body: "raw",
  async run({ realm, user, request }) {
    checkMayChange(realm.read, user);
    const { bytes } = await readPicture(request, "avatar", PICTURE_MIB_MAX);
    const { avatar_key, pictures } = await avatarFrom(realm, bytes);
    const look = { avatar_source: "U", avatar_key } as const;
    await keepPictures(realm, user, pictures, (tx, by) => {
      checkMayChange(tx, by);
      changeAvatar(tx, user.user_id, look);
    });
    return { avatar_url: avatarUrl(realm.read.users.get(user.user_id)!, false) };
  },
});

/** Back to what the organization gives everyone; who has that already changes nothing. */
export const deleteAvatar = endpoint({
  params: {},
  async run({ realm, user }) {
    await realm.write((tx) => {
      checkMayChange(tx, user);
      const { avatar_source } = tx.users.get(user.user_id)!;
      const avatar_default = tx.settings.default_avatar_source;
      if (avatar_source === avatar_default) return;
      changeAvatar(tx, user.user_id, { avatar_source: avatar_default, avatar_key: null });
    });
    return { avatar_url: avatarUrl(realm.read.users.get(user.user_id)!, false) };
  },
});
