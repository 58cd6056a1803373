/** All that a client knows: slices, each with its own reducer, and the one switch between them. */
import {
  CHANNEL_FIELDS,
  type Channels,
  dehydrateChannels,
  hydrateChannels,
  reduceChannels,
} from "./features/channels/state.ts";
import {
  CONVERSATION_FIELDS,
  type Conversations,
  dehydrateConversations,
  hydrateConversations,
  reduceConversations,
} from "./features/conversations/state.ts";
import {
  dehydrateGroups,
  forgetMember,
  GROUP_FIELDS,
  type Groups,
  hydrateGroups,
  reduceGroups,
} from "./features/groups/state.ts";
import {
  dehydrateMessages,
  hydrateMessages,
  MESSAGE_FIELDS,
  type Messages,
  reduceMessages,
} from "./features/messages/state.ts";
import {
  dehydrateOrganization,
  hydrateOrganization,
  type Organization,
  ORGANIZATION_FIELDS,
  reduceOrganization,
} from "./features/organization/state.ts";
import {
  dehydratePeople,
  hydratePeople,
  type People,
  PEOPLE_FIELDS,
  reducePeople,
} from "./features/people/state.ts";
import {
  dehydratePersonal,
  hydratePersonal,
  type Personal,
  PERSONAL_FIELDS,
  reducePersonal,
} from "./features/personal/state.ts";
import {
  dehydratePresence,
  hydratePresence,
  PRESENCE_FIELDS,
  type Presences,
  reducePresence,
} from "./features/presence/state.ts";
import {
  dehydrateSettings,
  hydrateSettings,
  reduceSettings,
  type Settings,
  SETTINGS_FIELDS,
} from "./features/settings/state.ts";
import {
  dehydrateTopics,
  hydrateTopics,
  reduceTopics,
  TOPIC_FIELDS,
  type Topics,
} from "./features/topics/state.ts";
import { noTyping, reduceTyping, type Typing } from "./features/typing/state.ts";
import {
  dehydrateUnread,
  hydrateUnread,
  reduceUnread,
  UNREAD_FIELDS,
} from "./features/unread/state.ts";
import type { Unread } from "./features/unread/places.ts";
import type { Changed, Event, Snapshot } from "./snapshot.ts";

export interface State {
  people: People;
  presence: Presences;
  channels: Channels;
  topics: Topics;
  groups: Groups;
  unread: Unread;
  messages: Messages;
  conversations: Conversations;
  typing: Typing;
  personal: Personal;
  settings: Settings;
  organization: Organization;
  /** The fields that the snapshot had. */
  told: ReadonlySet<string>;
}

const OWNED = new Set(
  [
    PEOPLE_FIELDS,
    PRESENCE_FIELDS,
    CHANNEL_FIELDS,
    TOPIC_FIELDS,
    GROUP_FIELDS,
    UNREAD_FIELDS,
    MESSAGE_FIELDS,
    CONVERSATION_FIELDS,
    PERSONAL_FIELDS,
    SETTINGS_FIELDS,
    ORGANIZATION_FIELDS,
  ].flat(),
);

/** The answer of register becomes state; its objects are taken over and must not be used again. */
export function hydrate(snapshot: Snapshot): State {
  const rest = Object.entries(snapshot).filter(([name]) => !OWNED.has(name));
  const channels = hydrateChannels(snapshot);
  const topics = hydrateTopics(snapshot);
  return {
    people: hydratePeople(snapshot),
    presence: hydratePresence(snapshot),
    channels,
    topics,
    groups: hydrateGroups(snapshot),
    unread: hydrateUnread(snapshot, { me: snapshot.user_id, channels, topics }),
    messages: hydrateMessages(snapshot),
    conversations: hydrateConversations(snapshot),
    typing: noTyping(),
    personal: hydratePersonal(snapshot),
    settings: hydrateSettings(snapshot),
    organization: hydrateOrganization(snapshot, Object.fromEntries(rest)),
    told: new Set(Object.keys(snapshot)),
  };
}

/** The snapshot that registering now would give. */
export function dehydrate(state: State): Snapshot {
  const snapshot = {
    ...dehydrateOrganization(state.organization),
    ...dehydratePeople(state.people),
    ...dehydratePresence(state.presence),
    ...dehydrateChannels(state.channels),
    ...dehydrateTopics(state.topics),
    ...dehydrateGroups(state.groups),
    ...dehydrateUnread(state.unread, state.people.me),
    ...dehydrateMessages(state.messages),
    ...dehydrateConversations(state.conversations),
    ...dehydratePersonal(state.personal),
    ...dehydrateSettings(state.settings),
  };
  const told = Object.entries(snapshot).filter(([name]) => state.told.has(name));
  return Object.fromEntries(told) as Snapshot;
}

/** All events of a poll; what they changed is told once. */
export function reduce(state: State, events: readonly Event[]): Changed {
  const changed: Changed = new Set();
  for (const event of events) reduceOne(state, event, changed);
  return changed;
}

type Type = Event["type"];
type Reducer<T extends Type = Type> = (state: State, event: Event<T>, changed: Changed) => void;

const people: Reducer = (state, event, changed) => {
  reducePeople(state.people, event, changed);
  if (event.type !== "realm_user" || event.op !== "update") return;
  const { person } = event;
  if (!("is_active" in person) || person.is_active) return;
  for (const { row } of state.channels.channels.values()) forgetMember(row, person.user_id);
  for (const row of state.channels.streams?.values() ?? []) forgetMember(row, person.user_id);
  for (const group of state.groups.groups.values()) forgetMember(group, person.user_id);
  forgetMember(state.organization.fields, person.user_id);
  state.groups.revision++;
};
const presence: Reducer<"presence" | "user_status"> = (state, event, changed) =>
  reducePresence(state.presence, event, changed);
const groups: Reducer<"user_group"> = (state, event, changed) =>
  reduceGroups(state.groups, event, changed);
const personal: Reducer = (state, event, changed) => reducePersonal(state.personal, event, changed);
const organization: Reducer = (state, event, changed) =>
  reduceOrganization(state.organization, event, changed);
const channels: Reducer = (state, event, changed) =>
  reduceChannels(state.channels, event, state.people.me, changed);
const topics: Reducer = (state, event, changed) =>
  reduceTopics(state.topics, event, state.messages.byId, changed);
const messages: Reducer = (state, event, changed) =>
  reduceMessages(state.messages, event, changed, state.channels);
const conversations: Reducer = (state, event, changed) =>
  reduceConversations(state.conversations, event, state.people.me, changed);
const typing: Reducer = (state, event, changed) =>
  reduceTyping(state.typing, event, state.people.me, changed);
const settings: Reducer = (state, event, changed) => reduceSettings(state.settings, event, changed);
const unread: Reducer = (state, event, changed) => {
  const { channels, topics } = state;
  reduceUnread(state.unread, event, { me: state.people.me, channels, topics }, changed);
};

/** Reducers per event type, in order. Later ones depend on channels, which come first. */
const REDUCERS: { [T in Type]: readonly Reducer<T>[] } = {
  alert_words: [personal],
  // Pages that show files ask anew while they are open.
  attachment: [],
  channel_folder: [channels],
  custom_profile_fields: [people],
  default_stream_groups: [channels],
  default_streams: [channels],
  delete_message: [messages, topics, conversations, unread],
  device: [personal],
  drafts: [personal],
  heartbeat: [],
  invites_changed: [organization],
  message: [messages, topics, conversations, typing, unread],
  muted_topics: [topics],
  muted_users: [people],
  navigation_view: [personal],
  onboarding_steps: [personal],
  presence: [presence],
  reaction: [messages],
  realm: [organization],
  realm_bot: [people],
  realm_domains: [organization],
  realm_emoji: [organization],
  realm_export_consent: [],
  realm_linkifiers: [organization],
  realm_playgrounds: [organization],
  realm_user: [people],
  realm_user_settings_defaults: [organization],
  reminders: [personal],
  restart: [],
  saved_snippets: [personal],
  scheduled_messages: [personal],
  stream: [channels, topics],
  submessage: [messages],
  subscription: [channels, topics, unread],
  typing: [typing],
  typing_edit_message: [typing],
  update_message: [messages, topics, unread],
  update_message_flags: [messages, unread],
  user_group: [groups],
  user_settings: [settings, personal],
  user_status: [presence],
  user_topic: [topics, unread],
};

/** Whether there is a reducer. Events of newer servers are ignored. */
export const isKnownEvent = (type: string): boolean => Object.hasOwn(REDUCERS, type);

function reduceOne(state: State, event: Event, changed: Changed): void {
  if (!isKnownEvent(event.type)) return;
  for (const reducer of REDUCERS[event.type] as readonly Reducer[]) reducer(state, event, changed);
}
