// Custom emoji: adding, listing and deactivating them.
import Type from "typebox";
import { insufficientPermission, tooMany } from "../../contract/errors/channels.ts";
import {
  customEmojiNameEnds,
  customEmojiNameMalformed,
  customEmojiNameTaken,
  customEmojiNotFound,
  customEmojiNotOwn,
  customEmojiOverrides,
  pictureTooLarge,
} from "../../contract/errors/realm.ts";
import { dict, nothing } from "../../contract/shapes/value-types.ts";
import { customEmojiShape } from "../../contract/shapes/organization.ts";
import { endpoint, openEndpoint, text } from "../../endpoint.ts";
import { withoutMetadata } from "../../pictures/strip-metadata/strip.ts";
import { ANIMATION_PIXELS_MAX, animationPixels } from "../../pictures/animation-cost.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { CustomEmoji, User } from "../../schema/records.ts";
import { emojiCode } from "../../text/emoji.ts";
import { storePictures, type PictureFile, readPicture } from "../avatars/save.ts";
import { squareOf } from "../avatars/crop.ts";
import { accessAsViewer } from "../channels/access.ts";
import { inspectPicture } from "../files/images.ts";
import { secret } from "../files/blob-names.ts";
import { MIB } from "../files/rules.ts";
import { emojiPath } from "../realm/picture-wire.ts";
import { hasPermission } from "../rights/access.ts";
import { isAdministrator } from "../rights/rules.ts";
import {
  CUSTOM_EMOJI_MAX,
  EMOJI_MIB_MAX,
  EMOJI_PIXELS,
  emojiNameOf,
  hasValidEnd,
  hasEmojiLetters,
  MOVING_EMOJI_MIB_MAX,
} from "./rules.ts";
import { allEmoji, customEmoji, emojiAdded, emojiDeactivated } from "./wire.ts";

const EXTRA_NAME = "zulip";

type EmojiImage = Pick<CustomEmoji, "file" | "still">;

function addEmoji(tx: Writer, user: User, value: string, image: EmojiImage): void {
  const name = checkedName(tx, user, value);

  const emoji: CustomEmoji = {
    id: tx.next("custom_emoji"),
    name,
    author_id: user.user_id,
    ...image,
    deactivated: false,
  };
  tx.custom_emoji.put(emoji);
  tx.emit(emojiAdded(emoji), { to: "realm" });
  tx.emit(allEmoji(tx), { to: "realm" });
}

/** Existing messages still display it. */
function deactivateEmoji(tx: Writer, user: User, name: string): void {
  const emoji = tx.custom_emoji.findBy("name", name);
  if (!emoji) throw customEmojiNotFound(name);
  if (!isAdministrator(user) && emoji.author_id !== user.user_id) throw customEmojiNotOwn();

  tx.custom_emoji.put({ ...emoji, deactivated: true });
  tx.emit(emojiDeactivated(emoji), { to: "realm" });
  tx.emit(allEmoji(tx), { to: "realm" });
}

function checkedName(reader: Reader, user: User, value: string): string {
  const name = emojiNameOf(value);
  if (!hasPermission(reader, user, "can_add_custom_emoji_group")) throw insufficientPermission();
  if (!hasEmojiLetters(name)) throw customEmojiNameMalformed();
  if (!hasValidEnd(name)) throw customEmojiNameEnds();
  if (reader.custom_emoji.findBy("name", name)) throw customEmojiNameTaken();
  const isDefault = emojiCode(name) !== undefined || name === EXTRA_NAME;
  if (isDefault && !isAdministrator(user)) throw customEmojiOverrides();
  if (reader.custom_emoji.count() >= CUSTOM_EMOJI_MAX) {
    throw tooMany("custom emoji", CUSTOM_EMOJI_MAX);
  }
  return name;
}

export const getCustomEmoji = openEndpoint({
  summary: "List custom emoji",
  tag: "Organization",
  params: {},
  answer: Type.Object({ emoji: dict(customEmojiShape) }),
  run: ({ realm: { read }, user }) => {
    accessAsViewer(read, user);
    return { emoji: customEmoji(read) };
  },
});

export const postCustomEmoji = endpoint({
  summary: "Add a custom emoji",
  tag: "Organization",
  params: { emoji_name: text },
  body: "raw",
  answer: nothing,
  refuses: ["BAD_IMAGE"],
  async run({ realm, user, request }, { emoji_name }) {
    checkedName(realm.read, user, emoji_name);
    const { bytes } = await readPicture(request, "file", EMOJI_MIB_MAX);
    const { pictures, ...image } = await emojiPictures(bytes);
    await storePictures(realm, user, pictures, (tx, actingUser) =>
      addEmoji(tx, actingUser, emoji_name, image),
    );
    return {};
  },
});

export const deleteCustomEmoji = endpoint({
  summary: "Deactivate a custom emoji",
  tag: "Organization",
  params: { emoji_name: text },
  answer: nothing,
  async run({ realm, user }, { emoji_name }) {
    await realm.write((tx) => deactivateEmoji(tx, user, emoji_name));
    return {};
  },
});

/** An animated image is stored unchanged, with a still image beside it. */
export async function emojiPictures(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<EmojiImage & { pictures: PictureFile[] }> {
  const image = await inspectPicture(new Blob([bytes]));
  const { format } = image;
  // Beyond the limit only the first frame is displayed.
  const animated =
    image.animated && animationPixels(bytes, `image/${format}`) <= ANIMATION_PIXELS_MAX;
  if (animated && bytes.length > MOVING_EMOJI_MIB_MAX * MIB) {
    throw pictureTooLarge(MOVING_EMOJI_MIB_MAX);
  }
  const [key, stillKey] = [secret(), await squareOf(image.bytes, EMOJI_PIXELS)];
  if (!animated) {
    const file = `${key}.webp`;
    return { file, still: null, pictures: [{ path: emojiPath(file), bytes: stillKey }] };
  }
  const [file, still] = [`${key}.${format}`, `${key}-still.webp`];
  const pictures = [
    { path: emojiPath(file), bytes: await withoutMetadata(bytes, `image/${format}`) },
    { path: emojiPath(still), bytes: stillKey },
  ];
  return { file, still, pictures };
}
