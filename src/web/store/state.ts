/** The state of the client: slices with their reducers, and the dispatch of events to them. */
import {
  CHANNEL_FIELDS,
  type Channels,
  dehydrateChannels,
  hydrateChannels,
  reduceChannels,
} from "../features/channels/state.ts";
import {
  CONVERSATION_FIELDS,
  type Conversations,
  dehydrateConversations,
  hydrateConversations,
  reduceConversations,
} from "../features/conversations/state.ts";
import {
  dehydrateGroups,
  forgetMember,
  GROUP_FIELDS,
  type Groups,
  hydrateGroups,
  reduceGroups,
} from "../features/groups/state.ts";
import {
  dehydrateMessages,
  hydrateMessages,
  MESSAGE_FIELDS,
  type Messages,
  reduceMessages,
} from "../features/messages/state.ts";
import {
  dehydrateOrganization,
  hydrateOrganization,
  type Organization,
  ORGANIZATION_FIELDS,
  reduceOrganization,
} from "../features/organization/state.ts";
import {
  dehydratePeople,
  hydratePeople,
  type People,
  PEOPLE_FIELDS,
  reducePeople,
} from "../features/people/state.ts";
import {
  dehydratePersonal,
  hydratePersonal,
  type Personal,
  PERSONAL_FIELDS,
  reducePersonal,
} from "../features/personal/state.ts";
import {
  dehydratePresence,
  forgetStatus,
  hydratePresence,
  PRESENCE_FIELDS,
  type Presences,
  reducePresence,
} from "../features/presence/state.ts";
import {
  dehydrateSettings,
  hydrateSettings,
  reduceSettings,
  type Settings,
  SETTINGS_FIELDS,
} from "../features/settings/state.ts";
import {
  dehydrateTopics,
  hydrateTopics,
  reduceTopics,
  TOPIC_FIELDS,
  type Topics,
} from "../features/topics/state.ts";
import { emptyTypingState, reduceTyping, type TypingState } from "../features/typing/state.ts";
import {
  dehydrateUnread,
  hydrateUnread,
  reduceUnread,
  UNREAD_FIELDS,
} from "../features/unread/state.ts";
import type { Unread } from "../features/unread/by-conversation-state.ts";
import { type Changed, type Event, omit, type Snapshot } from "../contract/snapshot.ts";

export interface State {
  people: People;
  presence: Presences;
  channels: Channels;
  topics: Topics;
  groups: Groups;
  unread: Unread;
  messages: Messages;
  conversations: Conversations;
  typing: TypingState;
  personal: Personal;
  settings: Settings;
  organization: Organization;
  /** The fields of the snapshot. */
  received: ReadonlySet<string>;
}

const SLICE_FIELDS = [
  ...PEOPLE_FIELDS,
  ...PRESENCE_FIELDS,
  ...CHANNEL_FIELDS,
  ...TOPIC_FIELDS,
  ...GROUP_FIELDS,
  ...UNREAD_FIELDS,
  ...MESSAGE_FIELDS,
  ...CONVERSATION_FIELDS,
  ...PERSONAL_FIELDS,
  ...SETTINGS_FIELDS,
  ...ORGANIZATION_FIELDS,
];

/**
 * Converts the register response to state; the state takes over its objects, so they must not be
 * used again.
 */
export function hydrate(snapshot: Snapshot): State {
  const people = hydratePeople(snapshot);
  const channels = hydrateChannels(snapshot);
  const topics = hydrateTopics(snapshot);
  return {
    people,
    presence: hydratePresence(snapshot),
    channels,
    topics,
    groups: hydrateGroups(snapshot),
    unread: hydrateUnread(snapshot, { me: people.me, channels, topics }),
    messages: hydrateMessages(snapshot),
    conversations: hydrateConversations(snapshot),
    typing: emptyTypingState(),
    personal: hydratePersonal(snapshot),
    settings: hydrateSettings(snapshot),
    organization: hydrateOrganization(snapshot, omit(snapshot, SLICE_FIELDS)),
    received: new Set(Object.keys(snapshot)),
  };
}

/** The snapshot that a new registration would return. */
export function dehydrate(state: State): Snapshot {
  const snapshot: Snapshot = {
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
  for (const name of Object.keys(snapshot)) {
    if (!state.received.has(name)) Reflect.deleteProperty(snapshot, name);
  }
  return snapshot;
}

/** Applies all events of a poll, and notifies once of their changes. */
export function reduce(state: State, events: readonly Event[]): Changed {
  const changed: Changed = new Set();
  for (const event of events) reduceOne(state, event, changed);
  return changed;
}

type EventType = Event["type"];
type Reducer<T extends EventType = EventType> = (
  state: State,
  event: Event<T>,
  changed: Changed,
) => void;

const people: Reducer = (state, event, changed) => {
  reducePeople(state.people, event, changed);
  if (event.type !== "realm_user") return;
  if (event.op === "remove") forgetStatus(state.presence, event.person.user_id, changed);
  if (event.op !== "update") return;
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
/** Displayed notes are requested again, like lists of pins. */
const notes: Reducer<"skein_topic_notes"> = (_state, { stream_id }, changed) => {
  changed.add(`notes:${stream_id}`);
};
/** Displayed lists of pins are requested again. */
const pins: Reducer<"skein_pins"> = (_state, { stream_id }, changed) => {
  changed.add(`pins:${stream_id}`);
};
const unread: Reducer = (state, event, changed) => {
  const { channels, topics } = state;
  reduceUnread(state.unread, event, { me: state.people.me, channels, topics }, changed);
};

/** Reducers per event type, in order. Later ones depend on channels, which come first. */
const REDUCERS: { [T in EventType]: readonly Reducer<T>[] } = {
  alert_words: [personal],
  // Pages that show files request them again while open.
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
  realm_export: [],
  realm_export_consent: [],
  realm_linkifiers: [organization],
  realm_playgrounds: [organization],
  realm_user: [people],
  realm_user_settings_defaults: [organization],
  reminders: [personal],
  restart: [],
  saved_snippets: [personal],
  scheduled_messages: [personal],
  skein_pins: [pins],
  skein_sidebar_order: [channels],
  skein_topic_notes: [notes],
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
