// The URLs of images: avatars, the organization's icon, and custom emoji.
import type { RealmSettings } from "../../schema/records.ts";

const GENERATED = "/user_avatars/generated";
const MEDIUM = "-medium";

/** Root-relative. `version` changes with the picture. */
export function generatedAvatarPath(user_id: number, version: number, isMedium = false): string {
  return `${GENERATED}/${user_id}${isMedium ? MEDIUM : ""}.png?version=${version}`;
}

/** Avatar of users who are unknown or hidden. */
export function genericAvatarPath(isMedium = false): string {
  return `${GENERATED}/generic${isMedium ? MEDIUM : ""}.png?version=1`;
}

/** URL path of uploaded images, and where they are stored. */
const UPLOADED = "/user_avatars/1";
const PICTURE_FOLDER = "pictures";

/** `file`: the part of the URL after the realm. */
export function picturePath(file: string): string {
  return `${PICTURE_FOLDER}/${file}`;
}

export function avatarFile(key: string, isMedium = false): string {
  return `${key}${isMedium ? MEDIUM : ""}.webp`;
}

export function uploadedAvatarPath(key: string, version: number, isMedium = false): string {
  return `${UPLOADED}/${avatarFile(key, isMedium)}?version=${version}`;
}

const emojiFile = (file: string) => `emoji/images/${file}`;

export function emojiImagePath(file: string): string {
  return `${UPLOADED}/${emojiFile(file)}`;
}

export function emojiPath(file: string): string {
  return picturePath(emojiFile(file));
}

export type RealmPicture = "icon" | "logo" | "night_logo";

export function realmPictureFile(key: string): string {
  return `realm/${key}.webp`;
}

export function realmIconPath({ icon_file, icon_version }: RealmSettings): string {
  const path = icon_file ? `${UPLOADED}/${icon_file}` : GENERATED_PICTURE;
  return `${path}?version=${icon_version}`;
}

/** The URL changes with each upload. */
export function realmLogoPath(settings: RealmSettings, isNight: boolean): string {
  const file = isNight ? settings.night_logo_file : settings.logo_file;
  return `${file ? `${UPLOADED}/${file}` : GENERATED_PICTURE}?version=1`;
}

/** The icon of organizations that have not uploaded one. */
const GENERATED_PICTURE = `${GENERATED}/realm${MEDIUM}.png`;
