// The data with which rows and bars are rendered.
import { EXTRA_EMOJI_NAME, EXTRA_EMOJI_URL } from "../../../text/extra-emoji.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import { addressOf } from "../../address.ts";
import type { Sender } from "../../feed/avatar.ts";
import { placeOfMessage } from "../../feed/items.ts";
import type { BarDrawing, BarWords } from "../../feed/paint.ts";
import { now } from "../../live.ts";
import type { Changed } from "../../snapshot.ts";
import { channelView, directView, type Place, topicView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { channelHome } from "../channels/home.ts";
import { pendingOf, showSending } from "../compose/echoing.ts";
import { signOf } from "../emoji/sign.ts";
import { isIn } from "../groups/may.ts";
import type { Message } from "../messages/state.ts";
import { personOf } from "../people/state.ts";

const NAMES_MAX = 20;

/** Messages of muted people that one wanted to see; by id, as long as the page is open. */
export const shownAnyway = new Set<number>();
/** Open editors by message id. They outlive their row, which may leave the page. */
export const editors = new Map<number, HTMLElement>();

export const drawing: BarDrawing & { emojiUrlOf(code: string): string | undefined } = {
  get me() {
    return now().people.me;
  },
  now: () => Date.now() / 1000,
  nameOf: (user_id) => personOf(now().people, user_id)?.full_name,
  groupNameOf: (group_id) => groupName(now().groups.groups.get(group_id)?.name),
  isOwnGroup: (group_id) => isIn(now().groups, group_id, now().people.me),
  colorOf: (stream_id) => now().channels.channels.get(stream_id)?.row.color,
  emojiUrlOf: (code) =>
    code === EXTRA_EMOJI_NAME
      ? EXTRA_EMOJI_URL
      : ownValue(now().organization.emoji, code)?.source_url,
  playgroundsOf: (language) =>
    playgrounds().filter((one) => folded(one.pygments_language) === folded(language)),
  setting: (name) => now().settings.settings[name],
  senderOf,
  isHidden: ({ id, sender_id }) => now().people.muted.has(sender_id) && !shownAnyway.has(id),
  editorOf: (message_id) => editors.get(message_id),
  pendingOf,
  showSending,
  markedOf: () => undefined,
  addressOf: (message) => addressOf(messageView(message)),
  peopleIn,
  barOf,
};

/** Changes that any row may show. */
const ALL_ROWS = [
  "settings",
  "words",
  "muted-users",
  "realm:enable_guest_user_indicator",
  "realm_playgrounds",
  "realm_emoji",
];

/** Which rows these changes are seen in. */
export function staleBy(changed: Changed): (message: Message) => boolean {
  const isAll = ALL_ROWS.some((key) => changed.has(key));
  return ({ id, sender_id, reactions }) =>
    isAll ||
    changed.has(`message:${id}`) ||
    changed.has(`user:${sender_id}`) ||
    changed.has(`status:${sender_id}`) ||
    reactions.some(({ user_id }) => changed.has(`user:${user_id}`));
}

interface Playground {
  id: number;
  name: string;
  pygments_language: string;
  url_template: string;
}

export const playgrounds = () => now().organization.playgrounds as readonly Playground[];
const folded = (language: string) => language.toLowerCase();

function senderOf({ sender_id, sender_full_name }: Message): Sender {
  const { people, presence } = now();
  const person = personOf(people, sender_id);
  const status = presence.status.get(sender_id);
  const isUnicode = status?.reaction_type === "unicode_emoji" && status.emoji_code !== undefined;
  return {
    user_id: sender_id,
    full_name: person?.full_name ?? sender_full_name,
    avatar_url: person?.avatar_url ?? null,
    is_bot: person?.is_bot ?? false,
    is_guest: (person?.is_guest ?? false) && marksGuests(),
    status_emoji: isUnicode ? signOf(status.emoji_code!, status.emoji_name) : undefined,
  };
}

export const marksGuests = () =>
  now().organization.fields["realm_enable_guest_user_indicator"] !== false;

/** The message in its conversation, and the others around it. */
export function messageView(message: Message) {
  const { me } = now().people;
  const place = placeOfMessage(message, me);
  if ("user_ids" in place) return directView(place.user_ids, me, message.id);
  return topicView(place.stream_id, place.topic, { operator: "near", id: message.id });
}

/** System groups have names of their own in every language. */
function groupName(name: string | undefined): string | undefined {
  return name?.replace(/^role:/, "");
}

function peopleIn(user_ids: readonly number[]): string {
  const { people } = now();
  const own = user_ids.includes(people.me) ? [say("you")] : [];
  const others = user_ids
    .filter((id) => id !== people.me)
    .map((id) => personOf(people, id)?.full_name ?? say("unknown-user"));
  const names = [...own, ...others];
  const more = names.length - NAMES_MAX;
  const shown = more > 0 ? [...names.slice(0, NAMES_MAX), say("and-more", { count: more })] : names;
  return new Intl.ListFormat(document.documentElement.lang || "en").format(shown);
}

/** The topic without a name is called as the organization calls it. */
export function topicName(topic: string): string {
  const unnamed = now().organization.fields["realm_empty_topic_display_name"];
  return topic === "" ? String(unnamed ?? "") : topic;
}

export function barOf(place: Place): BarWords {
  const { people, channels } = now();
  if ("user_ids" in place) {
    return {
      icon: "at",
      color: undefined,
      channel: undefined,
      title: conversationName(place.user_ids),
      address: addressOf(directView(place.user_ids, people.me)),
    };
  }
  const { stream_id, topic } = place;
  const row = channels.channels.get(stream_id)?.row;
  const address = addressOf(topicView(stream_id, topic));
  return {
    icon: row?.is_web_public ? "globe" : row?.invite_only ? "lock" : "hash",
    color: row?.color,
    channel: {
      name: row?.name ?? say("unknown-channel"),
      // Lists ask for none, and each is a look at all topics.
      get address() {
        const home = addressOf(channelHome(stream_id));
        // A link to the current address would do nothing.
        return home === address ? addressOf(channelView(stream_id)) : home;
      },
    },
    title: topicName(topic),
    address,
  };
}

/** The others, or oneself where there are none. */
export function conversationName(user_ids: readonly number[]): string {
  const { people } = now();
  const ids = user_ids.length === 0 ? [people.me] : user_ids;
  const names = ids.map((id) => personOf(people, id)?.full_name ?? say("unknown-user"));
  return new Intl.ListFormat(document.documentElement.lang || "en", { type: "unit" }).format(names);
}
