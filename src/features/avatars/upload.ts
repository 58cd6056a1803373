// Uploads and deletes a user's own avatar.
import Type from "typebox";
import { avatarChangesDisabled } from "../../contract/errors/realm.ts";
import { endpoint } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { discardLater } from "../files/discard.ts";
import { inspectPicture } from "../files/images.ts";
import { secret } from "../files/blob-names.ts";
import { avatarFile, picturePath } from "../realm/picture-wire.ts";
import { avatarUrl, avatarUrlMedium, userUpdated } from "../people/wire.ts";
import { AVATAR_PIXELS, AVATAR_PIXELS_MEDIUM, PICTURE_MIB_MAX } from "../realm/picture-rules.ts";
import { isAdministrator } from "../rights/rules.ts";
import { storePictures, type PictureFile, readPicture } from "./save.ts";
import { squareOf } from "./crop.ts";

type AvatarSource = Pick<User, "avatar_source"> & { avatar_key: string | null };

/** Changes the avatar of a user, or of a bot that the caller may change. */
export function changeAvatar(tx: Writer, user_id: number, picture: AvatarSource): void {
  const user = tx.users.get(user_id)!;
  const { avatar_key } = user;
  const isReplaced = avatar_key && avatar_key !== picture.avatar_key;
  if (isReplaced) discardLater(tx, avatarPaths(avatar_key));
  const updatedUser = { ...user, ...picture, avatar_version: user.avatar_version + 1 };
  tx.users.put(updatedUser);
  const { avatar_source, avatar_version } = updatedUser;
  const payload = {
    avatar_source,
    avatar_url: avatarUrl(updatedUser, false),
    avatar_url_medium: avatarUrlMedium(updatedUser),
    avatar_version,
  };
  tx.emit(userUpdated(user_id, payload), { to: "seers", user_id });
}

/** Returns both sizes of an uploaded picture, under a new key. */
export async function avatarFrom(bytes: Uint8Array<ArrayBuffer>) {
  const { bytes: legible } = await inspectPicture(new Blob([bytes]));
  const avatar_key = secret();
  const [smallPath, medium] = avatarPaths(avatar_key);
  const pictures: PictureFile[] = [
    { path: smallPath, bytes: await squareOf(legible, AVATAR_PIXELS) },
    { path: medium, bytes: await squareOf(legible, AVATAR_PIXELS_MEDIUM) },
  ];
  return { avatar_key, pictures };
}

export function avatarPaths(key: string): [small: string, medium: string] {
  return [picturePath(avatarFile(key)), picturePath(avatarFile(key, true))];
}

function checkCanChange(reader: Reader, user: User): void {
  if (!reader.settings.avatar_changes_disabled || isAdministrator(user)) return;
  throw avatarChangesDisabled();
}

export const postAvatar = endpoint({
  summary: "Set your avatar",
  tag: "People",
  params: {},
  body: "raw",
  answer: Type.Object({ avatar_url: Type.String() }),
  refuses: ["BAD_IMAGE"],
  async run({ realm, user, request }) {
    checkCanChange(realm.read, user);
    const { bytes } = await readPicture(request, "avatar", PICTURE_MIB_MAX);
    const { avatar_key, pictures } = await avatarFrom(bytes);
    const picture = { avatar_source: "U", avatar_key } as const;
    await storePictures(realm, user, pictures, (tx, actingUser) => {
      checkCanChange(tx, actingUser);
      changeAvatar(tx, user.user_id, picture);
    });
    return { avatar_url: avatarUrl(realm.read.users.get(user.user_id)!, false) };
  },
});

/** Restores the organization's default avatar. Changes nothing if the user has no own avatar. */
export const deleteAvatar = endpoint({
  summary: "Remove your avatar",
  tag: "People",
  params: {},
  answer: Type.Object({ avatar_url: Type.String() }),
  async run({ realm, user }) {
    await realm.write((tx) => {
      checkCanChange(tx, user);
      const { avatar_source } = tx.users.get(user.user_id)!;
      const avatar_default = tx.settings.default_avatar_source;
      if (avatar_source === avatar_default) return;
      changeAvatar(tx, user.user_id, { avatar_source: avatar_default, avatar_key: null });
    });
    return { avatar_url: avatarUrl(realm.read.users.get(user.user_id)!, false) };
  },
});
