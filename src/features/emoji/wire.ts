// The data of custom emoji for clients.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { customEmojiShape } from "../../contract/shapes/organization.ts";
import type { Reader } from "../../realm.ts";
import type { CustomEmoji } from "../../schema/records.ts";
import { emojiImagePath } from "../realm/picture-wire.ts";

/** Keyed by id, including deactivated ones, which old messages display. */
export function customEmoji(reader: Reader): Record<string, Static<typeof customEmojiShape>> {
  const all = [...reader.custom_emoji.range()];
  return Object.fromEntries(all.map((emoji) => [String(emoji.id), emojiObject(emoji)]));
}

function emojiObject({ id, name, author_id, file, still, deactivated }: CustomEmoji) {
  return {
    id: String(id),
    name,
    source_url: emojiImagePath(file),
    still_url: still === null ? null : emojiImagePath(still),
    deactivated,
    author_id,
  };
}

/** The emoji that rendering displays for a name. */
export function shownEmoji(reader: Reader, name: string) {
  const emoji = reader.custom_emoji.findBy("name", name);
  return emoji && { id: String(emoji.id), name, source_url: emojiImagePath(emoji.file) };
}

export function emojiAdded(emoji: CustomEmoji): PlainEvent {
  return { ...listedEmoji("add"), emoji: emojiObject(emoji) };
}

export function emojiDeactivated({ id }: CustomEmoji): PlainEvent {
  return { ...listedEmoji("update_one"), emoji_id: String(id), data: { deactivated: true } };
}

const listedEmoji = (op: string) =>
  ({ type: "realm_emoji", op, needs: "individual_emoji_changes" }) as const;

/** The event for clients that do not support events about a single emoji. */
export function allEmoji(reader: Reader): PlainEvent {
  const realm_emoji = customEmoji(reader);
  return { type: "realm_emoji", op: "update", realm_emoji, lacks: "individual_emoji_changes" };
}
