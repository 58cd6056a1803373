// A user's flags on a message, as clients receive them.
import type { Static } from "typebox";
import type { flagsShape } from "../../../contract/shapes/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { chunkOf, offsetOf } from "../../../store/bitmap/bitmap.ts";
import { hasOffset } from "../../../store/bitmap/encodings.ts";
import { isInGroup } from "../../rights/access.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { receivedAtSend } from "../access.ts";
import {
  FLAG_COLLAPSED,
  FLAG_FROZEN_MENTION,
  FLAG_FROZEN_NO_MENTION,
  FLAG_HAS_ALERT_WORD,
  FLAG_HISTORICAL,
  FLAG_READ,
  FLAG_EDITED_LATER,
  FLAG_STARRED,
  FLAG_TOPIC_WILDCARD,
  STREAM_WILDCARD,
  TOPIC_WILDCARD,
} from "../rules.ts";
import { BitmapProbe } from "../sets/bitmap-probe.ts";
import { isReadOnArrival } from "./read-marks.ts";

type Flags = Static<typeof flagsShape>;

/**
 * Returns the flags of a message that the user can read. For several messages, pass the same `own`.
 */
export function flagsOf(
  reader: Reader,
  user: Viewer,
  message: Message,
  own?: OwnFlagReader,
): Flags {
  if (user === SPECTATOR) return ["read"];
  const flags = own ?? new OwnFlagReader(reader, user.user_id);
  const received = receivedAtSend(reader, user.user_id, message);
  if (!received && !flags.has(FLAG_HISTORICAL, message.id)) return ["read", "historical"];

  const flagNames: Flags[number][] = [];
  if (flags.isRead(message.id)) flagNames.push("read");
  if (flags.has(FLAG_STARRED, message.id)) flagNames.push("starred");
  if (flags.has(FLAG_COLLAPSED, message.id)) flagNames.push("collapsed");
  if (!received) flagNames.push("historical");
  if (received || flags.has(FLAG_EDITED_LATER, message.id)) {
    addPersonalFlags(flagNames, reader, user, message, flags);
  }
  return flagNames;
}

/** Whether the message has the same flags for all readers. */
export function hasCommonFlags(message: Message): boolean {
  return (
    (message.bits & (STREAM_WILDCARD | TOPIC_WILDCARD)) === 0 &&
    message.mentioned_user_ids === null &&
    message.mentioned_group_ids === null
  );
}

/** Adds flags of a received message that depend on its content: mentions and alert words. */
export function addPersonalFlags(
  flagNames: string[],
  reader: Reader,
  user: User,
  message: Message,
  flags: OwnFlagReader,
): void {
  const { bits, id } = message;
  const topic = (bits & TOPIC_WILDCARD) !== 0 && flags.has(FLAG_TOPIC_WILDCARD, id);
  if (isMentioned(reader, user, message, flags)) flagNames.push("mentioned");
  if (bits & STREAM_WILDCARD) flagNames.push("stream_wildcard_mentioned");
  if (topic) flagNames.push("topic_wildcard_mentioned");
  if (flags.has(FLAG_HAS_ALERT_WORD, id)) flagNames.push("has_alert_word");
  if (topic || bits & STREAM_WILDCARD) flagNames.push("wildcard_mentioned");
}

/** Mentioned by name, or through a group that the user was in when the message was sent. */
function isMentioned(
  reader: Reader,
  user: User,
  message: Message,
  flags = new OwnFlagReader(reader, user.user_id),
): boolean {
  const { id, mentioned_group_ids } = message;
  if (message.mentioned_user_ids?.includes(user.user_id)) return true;
  if (mentioned_group_ids === null) return false;
  if (flags.has(FLAG_FROZEN_MENTION, id)) return true;
  if (!mentioned_group_ids.some((group_id) => isInGroup(reader, user, group_id))) return false;
  return !flags.has(FLAG_FROZEN_NO_MENTION, id);
}

/** Caches the chunks of a user's flags during one synchronous operation. */
export class OwnFlagReader {
  private readonly chunks: ({ chunkNumber: number; bytes: Uint8Array | undefined } | undefined)[] =
    [];
  private readonly probe: (BitmapProbe | undefined)[] = [];
  private floor: number | undefined;

  constructor(
    private readonly reader: Reader,
    private readonly user_id: number,
  ) {}

  has(flag: number, message_id: number): boolean {
    const index = chunkOf(message_id);
    const chunk = this.chunks[flag];
    if (chunk?.chunkNumber !== index) {
      this.chunks[flag] = { chunkNumber: index, bytes: undefined };
      this.probe[flag] ??= new BitmapProbe(this.reader.flags, [this.user_id, flag]);
      return this.probe[flag].has(message_id);
    }
    chunk.bytes ??= this.reader.flags.chunk([this.user_id, flag], index) ?? NONE;
    return chunk.bytes !== NONE && hasOffset(chunk.bytes, offsetOf(message_id));
  }

  isRead(message_id: number): boolean {
    this.floor ??= this.reader.read_floors.get(this.user_id)?.floor ?? 0;
    if (chunkOf(message_id) < this.floor) return true;
    return (
      this.has(FLAG_READ, message_id) || isReadOnArrival(this.reader, this.user_id, message_id)
    );
  }
}

const NONE = new Uint8Array();
