// The avatar in a form that creates or changes a bot.
import { botPictureNotSingle } from "../../../contract/errors/people.ts";
import { pictureTooLarge } from "../../../contract/errors/realm.ts";
import type { Context } from "../../../endpoint.ts";
import type { Writer } from "../../../realm.ts";
import { storePictures } from "../../avatars/save.ts";
import { avatarFrom, changeAvatar } from "../../avatars/upload.ts";
import { MIB } from "../../files/rules.ts";
import { PICTURE_MIB_MAX } from "../../realm/picture-rules.ts";

/** Calls the function with an action that sets the avatar, if there is one. */
export async function withPicture<T>(
  { realm, user, files }: Context,
  action: (
    tx: Writer,
    setPicture: (bot_id: number) => void,
  ) => T extends PromiseLike<unknown> ? never : T,
): Promise<T> {
  const [file, ...more] = files;
  if (!file) return realm.write((tx) => action(tx, () => {}));
  if (more.length > 0) throw botPictureNotSingle();
  if (file.length > PICTURE_MIB_MAX * MIB) throw pictureTooLarge(PICTURE_MIB_MAX);
  const { avatar_key, pictures } = await avatarFrom(file);
  const picture = { avatar_source: "U", avatar_key } as const;
  return storePictures(realm, user, pictures, (tx) => {
    return action(tx, (bot_id) => changeAvatar(tx, bot_id, picture));
  });
}
