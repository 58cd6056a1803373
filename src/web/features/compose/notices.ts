// Warnings before sending: who is notified, and who will not see the message.
import type { State } from "../../store/state.ts";
import type { ConversationRef } from "../../views.ts";
import { canAddTo } from "../channels/permissions.ts";
import type { KnownChannel } from "../channels/state.ts";
import { type Person, personOf } from "../people/state.ts";
import { WILDCARD_FREE_PEOPLE_MAX } from "../../../features/messages/rules.ts";
import { isOutside } from "../typeahead/participants.ts";
import { othersIn } from "../typeahead/suggest-places.ts";
import { unknownSlashCommand } from "../typeahead/slashes.ts";

export type Notice =
  | { kind: "many"; name: string; count: number }
  | Outside
  /** The text names a channel that not all readers can see. */
  | { kind: "hidden"; name: string }
  | { kind: "long"; over: number }
  | { kind: "slash"; name: string }
  /** Recipients of a direct message who are guests. */
  | { kind: "guests"; names: string[] };

/** A mentioned user who is not in the channel. */
interface Outside {
  kind: "outside";
  user_id: number;
  name: string;
  /** The channel is private, or the user is a guest. */
  isUnseen: boolean;
  /** Whether the current user may add the user to the channel. */
  canAdd: boolean;
}

const NOTICES_MAX = 4;
const MENTION = /(?<![^\s'"({[/<])@\*\*([^*\n]+)\*\*/g;
const CHANNEL = /(?<![^\s'"({[/<])#\*\*([^*>\n]+)(?:>[^*\n]*)?\*\*/g;
const WILDCARDS = ["all", "everyone", "channel", "stream"];

export function noticesOf(
  text: string,
  conversation: ConversationRef | undefined,
  state: State,
): Notice[] {
  const notices: Notice[] = [];
  const max = Number(state.organization.fields["max_message_length"] ?? Infinity);
  const excess = [...text].length - max;
  if (excess > 0) notices.push({ kind: "long", over: excess });
  const name = unknownSlashCommand(text);
  if (name !== undefined) notices.push({ kind: "slash", name });
  if (conversation && "user_ids" in conversation)
    return [...notices, ...guestNotices(conversation.user_ids, state)];
  if (!conversation) return notices;
  const channel = state.channels.channels.get(conversation.stream_id);
  const visible = visibleTextIn(text);
  for (const [, name = ""] of visible.matchAll(MENTION)) {
    if (WILDCARDS.includes(name)) {
      const count = othersIn(state, conversation.stream_id);
      if (count >= WILDCARD_FREE_PEOPLE_MAX) notices.push({ kind: "many", name, count });
      continue;
    }
    const person = findByName(name, state);
    if (!person || !isOutside(person, state, conversation)) continue;
    notices.push(describeOutside(person, channel, state));
  }
  for (const [, name = ""] of visible.matchAll(CHANNEL)) {
    const namedChannel = [...state.channels.channels.values()].find(
      (candidate) => candidate.row.name === name,
    );
    if (namedChannel?.row.invite_only && channel && !coversSubscribersOf(channel, namedChannel))
      notices.push({ kind: "hidden", name });
  }
  return distinct(notices).slice(0, NOTICES_MAX);
}

function describeOutside(person: Person, channel: KnownChannel | undefined, state: State): Outside {
  const { user_id, full_name: name, is_guest } = person;
  const isUnseen = channel?.row.invite_only === true || is_guest === true;
  const isActive = state.people.active.has(user_id);
  const canAdd = isActive && channel !== undefined && canAddTo(state, channel);
  return { kind: "outside", user_id, name, isUnseen, canAdd };
}

/** Whether the text mentions users by name. */
export const hasMentions = (text: string): boolean => text.includes("@**");

/** All readers of this channel are known to be in the other one. */
function coversSubscribersOf(channel: KnownChannel, other: KnownChannel): boolean {
  if (channel === other) return true;
  if (!channel.row.invite_only || channel.isPartial || !channel.subscribers) return false;
  return !other.isPartial && [...channel.subscribers].every((id) => other.subscribers?.has(id));
}

const FENCE = /^\s*(`{3,}|~{3,})\s*(\S*)/;

/** The text without code and quotes, whose mentions do not notify. */
function visibleTextIn(text: string): string {
  const open: { fence: string; isVisible: boolean }[] = [];
  const visible: string[] = [];
  for (const line of text.split("\n")) {
    const last = open.at(-1);
    const [, fence, head] = FENCE.exec(line) ?? [];
    const isCode = last !== undefined && !last.isVisible;
    if (last && line.trim() === last.fence) open.pop();
    else if (fence !== undefined && !isCode) open.push({ fence, isVisible: head === "spoiler" });
    else if (!isCode && !line.trimStart().startsWith(">")) visible.push(line.replace(SPAN, ""));
  }
  return visible.join("\n");
}

const SPAN = /(?<!`)`+[^`]+`+/g;

/** Guests do not need a warning about guests. */
function guestNotices(user_ids: readonly number[], { organization, people }: State): Notice[] {
  if (organization.fields["realm_enable_guest_user_dm_warning"] === false) return [];
  if (people.own["is_guest"] === true) return [];
  const guests = user_ids
    .flatMap((id) => personOf(people, id) ?? [])
    .filter((person) => person.is_guest);
  const names = guests.map(({ full_name }) => full_name);
  return names.length === 0 ? [] : [{ kind: "guests", names }];
}

function findByName(name: string, { people }: State) {
  const id = /\|(\d{1,15})$/.exec(name)?.[1];
  if (id !== undefined) return personOf(people, Number(id));
  for (const person of people.active.values()) if (person.full_name === name) return person;
  return undefined;
}

const distinct = (notices: readonly Notice[]): Notice[] => [
  ...new Map(notices.map((notice) => [JSON.stringify(notice), notice])).values(),
];
