// Evaluates each term of a narrow to a set of messages.
import { spectatorsNotAllowed } from "../../../contract/errors/general.ts";
import { badNarrow } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { setKey } from "../../../store/set-key.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { timeRangeOf } from "../../../text/search/dates.ts";
import { canSeeChannel } from "../../channels/access.ts";
import { foldedName } from "../../channels/rules.ts";
import { canSeeUser, isLimited } from "../../people/access.ts";
import { emailOf } from "../../people/wire.ts";
import { userSetting } from "../../settings/rules.ts";
import { canSeeEmail, SPECTATOR, type Viewer } from "../../rights/rules.ts";
import {
  EMPTY_TOPIC_NAME,
  FLAG_HAS_ALERT_WORD,
  FLAG_MENTIONED,
  FLAG_MENTIONED_LATER,
  FLAG_STARRED,
  HAS_ATTACHMENT,
  HAS_IMAGE,
  HAS_LINK,
} from "../rules.ts";
import { mentionSets } from "../sets/mention-sets.ts";
import { Muting, topicSet } from "../sets/muted.ts";
import { Dated } from "../sets/time-range.ts";
import { directsSet, type Lookup, wholeChannels } from "../sets/received.ts";
import { ResolvedTopics } from "../sets/resolved.ts";
import { COST, type IdSet, ListedSet, NarrowedSet, StoredSet, Union } from "../sets/sets.ts";
import { topicFinder } from "../topic.ts";
import { Unread } from "../unread/unread.ts";
import type { Operand, Operator, Term } from "./narrow.ts";

/** The viewer and the channels for which a term is evaluated. */
interface NarrowContext {
  reader: Reader;
  viewer: Viewer;
  messageOf: Lookup;
  /** The channels whose messages the narrow can contain. */
  streams: readonly number[];
}

/** The messages of a set, or all others. Undefined if the term matches everything. */
type TermSet = { set: IdSet; negated?: boolean; isOwn?: boolean } | undefined;

const TERM_SETS: Readonly<Record<Operator, (context: NarrowContext, operand: Operand) => TermSet>> =
  {
    channel: ({ reader, viewer }, operand) => {
      const { stream_id } = channelOfOperand(reader, viewer, operand);
      const text = `channel ${stream_id}`;
      return { set: new StoredSet(text, COST.channel, reader.channel_messages, [stream_id]) };
    },
    channels: (context, operand) => ({ set: channelsSet(context, operand as string) }),
    topic: (context, operand) => ({ set: topicsNamed(context, operand as string) }),
    sender: ({ reader, viewer }, operand) => {
      const { user_id } = personOfOperand(reader, viewer, operand);
      const text = `sender ${user_id}`;
      return { set: new StoredSet(text, COST.person, reader.sender_messages, [user_id]) };
    },
    dm: (context, operand) => ({
      set: conversationSet(context.reader, viewerUser(context), operand),
    }),
    "dm-including": (context, operand) => ({
      set: directsWith(context.reader, viewerUser(context), operand),
    }),
    "group-pm-with": (context, operand) => ({
      set: groupsWith(context.reader, viewerUser(context), operand),
    }),
    mentions: (context, operand) => {
      const person = personOfOperand(context.reader, viewerUser(context), operand);
      const sets = [FLAG_MENTIONED, FLAG_MENTIONED_LATER].map((flag) =>
        flagSet(context.reader, person, flag),
      );
      return { set: new Union(sets, COST.marks) };
    },
    is: (context, operand) => termSetOfIs(context, operand as string),
    has: ({ reader }, operand) => ({ set: messagesWith(reader, operand as string) }),
    in: (context, operand) => {
      if (operand === "all") return undefined;
      if (operand !== "home") throw badNarrow(`unknown 'in' operand ${operand}`);
      return {
        set: new Muting(context.reader, viewerUser(context).user_id).muted(),
        negated: true,
      };
    },
    id: (_scene, operand) => ({ set: new ListedSet([messageIdOfOperand(operand)]) }),
    // Replaced earlier by the conversation that it refers to.
    with: () => undefined,
    near: () => undefined,
    before: (context, operand) => ({ set: messagesByDate(context, "before", operand as string) }),
    after: (context, operand) => ({ set: messagesByDate(context, "after", operand as string) }),
    on: (context, operand) => ({ set: messagesByDate(context, "on", operand as string) }),
    // Search terms are evaluated together.
    search: () => undefined,
  };

export function termSetOf(context: NarrowContext, { operator, operand, negated }: Term): TermSet {
  const termSet = TERM_SETS[operator](context, operand);
  return termSet && { ...termSet, negated: negated !== (termSet.negated ?? false) };
}

/** @throws for spectators, who have no messages of their own */
function viewerUser({ viewer }: NarrowContext): User {
  if (viewer === SPECTATOR) throw spectatorsNotAllowed();
  return viewer;
}

function termSetOfIs(context: NarrowContext, operand: string): TermSet {
  const { reader, messageOf, streams } = context;
  if (operand === "resolved") return { set: new ResolvedTopics(reader, streams, messageOf) };
  const user = viewerUser(context);
  switch (operand) {
    case "dm":
    case "private":
      return { set: directsSet(reader, user.user_id), isOwn: true };
    case "unread":
      return { set: new Unread(reader, user.user_id, messageOf), isOwn: true };
    case "starred":
      return { set: flagSet(reader, user, FLAG_STARRED) };
    case "alerted":
      return { set: flagSet(reader, user, FLAG_HAS_ALERT_WORD) };
    case "mentioned": {
      const { byName, byWildcard } = mentionSets(reader, user);
      return { set: new Union([byName, byWildcard], COST.marks) };
    }
    case "followed":
      return { set: new Muting(reader, user.user_id).followed() };
    case "muted":
      return { set: new Muting(reader, user.user_id).muted() };
    default:
      throw badNarrow(`unknown 'is' operand ${operand}`);
  }
}

const FLAG_OPERANDS: Readonly<Record<string, number>> = {
  attachment: HAS_ATTACHMENT,
  image: HAS_IMAGE,
  link: HAS_LINK,
};

function messagesWith(reader: Reader, operand: string): IdSet {
  if (operand === "reaction") {
    return new StoredSet("reacted", COST.person, reader.reacted_messages, [0]);
  }
  const mark = Object.hasOwn(FLAG_OPERANDS, operand) ? FLAG_OPERANDS[operand] : undefined;
  if (mark === undefined) throw badNarrow(`unknown 'has' operand ${operand}`);
  return new StoredSet(`with ${operand}`, COST.person, reader.marked_messages, [mark]);
}

/** Days begin at midnight in the viewer's time zone. */
function messagesByDate(
  { reader, viewer, messageOf }: NarrowContext,
  operator: string,
  operand: string,
): IdSet {
  const zone = viewer === SPECTATOR ? "" : userSetting(viewer, "timezone");
  const range = timeRangeOf(operator, operand, zone || "UTC");
  if (!range) throw badNarrow(`'${operator}' operand ${operand} is not a date (YYYY-MM-DD)`);
  return new Dated(reader, range, messageOf);
}

/** Includes channels that the user can no longer see if the user received messages in them. */
export function channelOfOperand(reader: Reader, viewer: Viewer, operand: Operand): Channel {
  const channel =
    typeof operand === "number"
      ? reader.channels.get(operand)
      : reader.channels.findBy("name", foldedName(String(operand)));
  if (channel && canSeeChannel(reader, viewer, channel)) return channel;
  if (viewer === SPECTATOR) throw badNarrow(`unknown web-public channel ${operand}`);
  const wasSubscribed = channel && reader.subscriptions.has(viewer.user_id, channel.stream_id);
  if (!wasSubscribed) throw badNarrow(`unknown channel ${operand}`);
  return channel;
}

const CHANNEL_KINDS: Readonly<Record<string, (channel: Channel) => boolean>> = {
  public: (channel) => !channel.invite_only,
  "web-public": (channel) => channel.is_web_public,
  archived: (channel) => channel.is_archived,
};

function channelsSet({ reader, messageOf }: NarrowContext, operand: string): IdSet {
  const isChannelKind = Object.hasOwn(CHANNEL_KINDS, operand) ? CHANNEL_KINDS[operand] : undefined;
  if (!isChannelKind) throw badNarrow(`unknown channels operand ${operand}`);
  const streams = [...reader.channels.range()]
    .filter(isChannelKind)
    .map((channel) => channel.stream_id);
  return wholeChannels(reader, `channels ${operand}`, streams, messageOf);
}

function topicsNamed({ reader, streams }: NarrowContext, operand: string): IdSet {
  const name = operand === EMPTY_TOPIC_NAME ? "" : operand;
  const topicIn = topicFinder(reader, name);
  const topics = streams.flatMap((stream_id) => topicIn(stream_id) ?? []);
  const sets = topics.map((topic) => topicSet(reader, topic.topic_id));
  return sets.length === 1 ? sets[0]! : new Union(sets, COST.place);
}

/** Exactly these users and the viewer. An empty list is not a conversation. */
function conversationSet(reader: Reader, user: User, operand: Operand): IdSet {
  const people = peopleOfOperand(reader, user, operand);
  if (people.length === 0) return new ListedSet([]);
  const ids = new Set([user.user_id, ...people]);
  const key = setKey([...ids].sort((a, b) => a - b));
  const recipient_id = reader.conversations.findBy("people", key)?.recipient_id;
  if (recipient_id === undefined) return new ListedSet([]);
  const text = `conversation ${recipient_id}`;
  return new StoredSet(text, COST.place, reader.conversation_messages, [recipient_id]);
}

function directsWith(reader: Reader, user: User, operand: Operand): IdSet {
  const { user_id } = personOfOperand(reader, user, operand);
  const directs = directsSet(reader, user.user_id);
  return user_id === user.user_id
    ? directs
    : new NarrowedSet([directs, directsSet(reader, user_id)], []);
}

function groupsWith(reader: Reader, user: User, operand: Operand): IdSet {
  const { user_id } = personOfOperand(reader, user, operand);
  const groups: IdSet[] = [];
  for (const { recipient_id, user_ids } of reader.conversations.scanIndex("recent", [
    user.user_id,
  ])) {
    if (user_ids.length < 3 || !user_ids.includes(user_id)) continue;
    const text = `conversation ${recipient_id}`;
    groups.push(new StoredSet(text, COST.place, reader.conversation_messages, [recipient_id]));
  }
  return new Union(groups, COST.several, `groups with ${user_id}`);
}

function flagSet(reader: Reader, { user_id }: Person, flag: number): StoredSet {
  return new StoredSet(`flag ${flag} of ${user_id}`, COST.marks, reader.flags, [user_id, flag]);
}

function peopleOfOperand(reader: Reader, user: User, operand: Operand): number[] {
  const namedUsers =
    typeof operand === "string"
      ? operand
          .split(",")
          .map((email) => email.trim())
          .filter((email) => email !== "")
      : (operand as readonly number[]);
  return namedUsers.map((item) => {
    const person = personNamed(reader, user, item);
    if (!person) throw badNarrow(`unknown user in ${operandText(operand)}`);
    return person.user_id;
  });
}

function personOfOperand(reader: Reader, viewer: Viewer, operand: Operand): Person {
  const person = personNamed(reader, viewer, operand as string | number);
  if (!person) throw badNarrow(`unknown user ${operand}`);
  return person;
}

type Person = Pick<User, "user_id">;

/**
 * An email address finds a user only if the viewer may know it. For viewers with limited access to
 * users, every id is accepted, because they may have messages of users whom they cannot see.
 */
function personNamed(reader: Reader, viewer: Viewer, name: string | number): Person | undefined {
  if (typeof name === "number") {
    const isSecret = viewer !== SPECTATOR && isLimited(reader, viewer);
    return isSecret ? { user_id: name } : reader.users.get(name);
  }
  const email = foldedAddress(name);
  const byRealAddress = reader.users.findBy("email", foldedAddress(name));
  const user = byRealAddress ?? reader.users.get(Number(/^user(\d+)@/.exec(email)?.[1] ?? NaN));
  if (!user || !canSeeUser(reader, viewer, user)) return undefined;
  const canKnow =
    canSeeEmail(viewer, user) || foldedAddress(emailOf(reader, user, viewer)) === email;
  return canKnow ? user : undefined;
}

function messageIdOfOperand(operand: Operand): number {
  const id = messageIdOf(operand);
  if (id === undefined) throw badNarrow("Invalid message ID");
  return id;
}

/** A number, or its digits as text. */
export function messageIdOf(operand: Operand): number | undefined {
  if (typeof operand === "number") return Math.max(0, operand);
  return /^\d{1,15}$/.test(String(operand)) ? Number(operand) : undefined;
}

const operandText = (operand: Operand) =>
  typeof operand === "object" ? `[${operand.join(", ")}]` : String(operand);
