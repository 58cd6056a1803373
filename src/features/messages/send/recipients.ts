// Parses the recipients of a message and loads the channel or users.
import {
  channelNotSingle,
  channelOfIdNotFound,
  channelOfNameNotFound,
  channelTypeInvalid,
  recipientEmailInvalid,
  recipientIdInvalid,
  recipientsHidden,
  recipientsMissing,
  recipientsMixed,
  recipientsTypeInvalid,
} from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { escapeQuotes } from "../../../text/markdown/serialize.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { checkedName } from "../../channels/names.ts";
import { foldedName } from "../../channels/rules.ts";
import { canSeeUser, isLimited } from "../../people/access.ts";
import { emailOf } from "../../people/wire.ts";

export type Recipient = ChannelRecipient | DirectRecipient;

export interface ChannelRecipient {
  stream_id: number;
  topic: string;
}

/** Users of the conversation, with or without the sender. */
export interface DirectRecipient {
  user_ids: readonly number[];
}

/** `to` of a channel message: a name or id, as plain text, JSON or a list of one. */
export function decodeChannel(to: string | undefined): string | number | undefined {
  if (to === undefined) return undefined;
  let value = parsed(to);
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    if (value.length > 1) throw channelNotSingle();
    value = value[0] as unknown;
  }
  if (typeof value === "string" || Number.isSafeInteger(value)) return value as string | number;
  throw channelTypeInvalid();
}

/** `to` of a direct message: ids or email addresses, as a list or separated by commas. */
export function decodePeople(to: string | undefined): readonly (number | string)[] {
  if (to === undefined) throw recipientsMissing();
  const value = parsed(to);
  const items: unknown = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(items)) throw recipientsTypeInvalid();
  if (items.length === 0) throw recipientsMissing();
  const kind = typeof items[0];
  if (kind !== "string" && !Number.isSafeInteger(items[0])) throw recipientsTypeInvalid();
  const hasKind = (item: unknown) => typeof item === kind;
  if (!items.every((item) => hasKind(item))) throw recipientsMixed();
  if (kind === "number") return items as number[];
  const emails = (items as string[]).map((email) => email.trim()).filter((email) => email !== "");
  if (emails.length === 0) throw recipientsMissing();
  return emails;
}

/** Returns the channel if the sender may know that it exists. */
export function channelNamed(reader: Reader, sender: User, name_or_id: string | number): Channel {
  if (typeof name_or_id === "number") {
    const channel = reader.channels.get(name_or_id);
    if (!channel || !canSendTo(reader, sender, channel)) throw channelOfIdNotFound(name_or_id);
    return channel;
  }
  const channel = reader.channels.findBy("name", foldedName(checkedName(name_or_id)));
  if (channel && canSendTo(reader, sender, channel)) return channel;
  throw channelOfNameNotFound(escapeQuotes(name_or_id, "&#x27;"));
}

/** A bot can send to the channels to which its owner can. */
function canSendTo(reader: Reader, { user_id, bot_owner_id }: User, channel: Channel): boolean {
  return [user_id, bot_owner_id].some((id) => {
    const user = id === null ? undefined : reader.users.get(id);
    return user !== undefined && canSeeChannel(reader, user, channel);
  });
}

/** Senders with limited access to users get the same error for hidden and unknown users. */
export function peopleNamed(
  reader: Reader,
  sender: User,
  people: readonly (number | string)[],
): User[] {
  return people.map((person) => {
    const isEmail = typeof person === "string";
    const user = isEmail ? personOfEmail(reader, person) : reader.users.get(person);
    if (user && canSeeUser(reader, sender, user)) return user;
    if (isLimited(reader, sender)) throw recipientsHidden();
    throw isEmail ? recipientEmailInvalid(person) : recipientIdInvalid(person);
  });
}

/** Finds a user by the API email address, which is not secret. */
function personOfEmail(reader: Reader, email: string): User | undefined {
  const folded = foldedAddress(email);
  const hiddenId = Number(/^user(\d+)@/.exec(folded)?.[1] ?? NaN);
  const user = reader.users.findBy("email", foldedAddress(email)) ?? reader.users.get(hiddenId);
  return user && foldedAddress(emailOf(reader, user)) === folded ? user : undefined;
}

/** Text that is not JSON is used as it is. */
function parsed(text: string): unknown {
  if (!POSSIBLY_JSON.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Avoids failing parses, which are expensive: most channel names are plain text. */
const POSSIBLY_JSON = /^\s*(?:["[{\d-]|(?:true|false|null)\s*$)/;
