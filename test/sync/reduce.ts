// A client's state after an event: a plain reducer over the register answer, for the sync law.
import { reduceMessages } from "./messages.ts";
import { defaultChanged, domainsChanged, realmChanged } from "./organization.ts";
import { reduceChannels } from "./channels.ts";

export type State = Record<string, any>;
export type Event = Record<string, any>;

type Reducer = (state: State, event: Event) => void;

const replace =
  (field: string): Reducer =>
  (state, event) => {
    state[field] = event[field];
  };

/** Events that no group of the snapshot keeps. */
const nothing: Reducer = () => {};

const REDUCERS: Record<string, Reducer> = {
  attachment: nothing,
  alert_words: replace("alert_words"),
  channel_folder: (state, { op, channel_folder, channel_folder_id, data, order }) => {
    const folders: Event[] = state["channel_folders"];
    if (op === "add") folders.push(channel_folder);
    else if (op === "update")
      Object.assign(
        folders.find(({ id }) => id === channel_folder_id)!,
        data,
      );
    else for (const folder of folders) folder["order"] = order.indexOf(folder["id"]);
  },
  custom_profile_fields: (state, { fields }) => {
    state["custom_profile_fields"] = fields;
    const isField = (id: string) => fields.some((field: Event) => `${field["id"]}` === id);
    for (const list of ["realm_users", "realm_non_active_users"]) {
      for (const { profile_data = {} } of state[list]) {
        for (const id of Object.keys(profile_data)) if (!isField(id)) delete profile_data[id];
      }
    }
  },
  default_streams: (state, event) => (state["realm_default_streams"] = event["default_streams"]),
  device: (state, { op, device_id }) => {
    const none = ["push_key_id", "push_token_id", "pending_push_token_id"].concat(
      "push_token_last_updated_timestamp",
      "push_registration_error_code",
    );
    if (op === "remove") delete state["devices"][device_id];
    else state["devices"][device_id] = Object.fromEntries(none.map((name) => [name, null]));
  },
  default_stream_groups: (state, { default_stream_groups }) => {
    state["realm_default_stream_groups"] = default_stream_groups;
  },
  drafts: (state, { op, drafts, draft, draft_id }) => {
    const rest = (id: number) => state["drafts"].filter((other: Event) => other["id"] !== id);
    if (op === "add") state["drafts"].push(...drafts);
    else if (op === "update") state["drafts"] = [...rest(draft.id), draft];
    else state["drafts"] = rest(draft_id);
  },
  heartbeat: nothing,
  invites_changed: nothing,
  muted_topics: replace("muted_topics"),
  muted_users: replace("muted_users"),
  navigation_view: (state, { op, navigation_view, fragment, data }) => {
    const views: Event[] = state["navigation_views"];
    if (op === "add") views.push(navigation_view);
    else if (op === "update")
      Object.assign(
        views.find((one) => one["fragment"] === fragment)!,
        data,
      );
    else state["navigation_views"] = views.filter((one) => one["fragment"] !== fragment);
  },
  onboarding_steps: replace("onboarding_steps"),
  presence: reducePresence,
  reaction: nothing,
  realm: realmChanged,
  realm_bot: (state, { op, bot }) => {
    const others = state["realm_bots"].filter((other: Event) => !is(bot.user_id)(other));
    const known = state["realm_bots"].find(is(bot.user_id));
    state["realm_bots"] = op === "delete" ? others : [...others, { ...known, ...bot }];
  },
  realm_domains: domainsChanged,
  realm_emoji: (state, { op, emoji, emoji_id, data, realm_emoji }) => {
    if (op === "update") state["realm_emoji"] = realm_emoji;
    else if (op === "add") state["realm_emoji"][emoji.id] = emoji;
    else Object.assign(state["realm_emoji"][emoji_id], data);
  },
  realm_export_consent: nothing,
  realm_linkifiers: replace("realm_linkifiers"),
  realm_playgrounds: replace("realm_playgrounds"),
  realm_user: reduceUsers,
  reminders: (state, { op, reminders, reminder_id }) => {
    const gone = (other: Event) => other["reminder_id"] === reminder_id;
    if (op === "add") state["reminders"].push(...reminders);
    else state["reminders"] = state["reminders"].filter((other: Event) => !gone(other));
  },
  realm_user_settings_defaults: defaultChanged,
  restart: nothing,
  saved_snippets: (state, { op, saved_snippet, saved_snippet_id }) => {
    const id = op === "remove" ? saved_snippet_id : saved_snippet.id;
    const rest = state["saved_snippets"].filter((other: Event) => other["id"] !== id);
    state["saved_snippets"] = op === "remove" ? rest : [...rest, saved_snippet];
  },
  scheduled_messages: (state, event) => {
    const { op, scheduled_messages: added = [], scheduled_message: changed } = event;
    const id = op === "update" ? changed.scheduled_message_id : event["scheduled_message_id"];
    const rest = state["scheduled_messages"].filter(
      (other: Event) => other["scheduled_message_id"] !== id,
    );
    state["scheduled_messages"] = [...rest, ...added, ...(op === "update" ? [changed] : [])];
  },
  submessage: nothing,
  typing: nothing,
  typing_edit_message: nothing,
  user_group: reduceGroups,
  user_settings: (state, { property, value }) => {
    state["user_settings"][property] = value;
    // Who does not share them keeps drafts to each client alone.
    if (property === "enable_drafts_synchronization" && !value) state["drafts"] = [];
  },
  user_status: (state, event) => {
    const { type: _type, id: _id, user_id, ...changed } = event;
    const status = { ...state["user_status"][user_id], ...changed };
    for (const [name, value] of Object.entries(status)) {
      if (value === "" || value === false) delete status[name];
    }
    if (!("emoji_name" in status)) delete status.reaction_type;
    if (Object.keys(status).length > 0) state["user_status"][user_id] = status;
    else delete state["user_status"][user_id];
  },
  user_topic: (state, { stream_id, topic_name, last_updated, visibility_policy }) => {
    const same = (row: Event) =>
      row["stream_id"] === stream_id &&
      row["topic_name"].toLowerCase() === topic_name.toLowerCase();
    state["user_topics"] = state["user_topics"].filter((row: Event) => !same(row));
    if (visibility_policy === 0) return;
    state["user_topics"].push({ stream_id, topic_name, last_updated, visibility_policy });
  },
};

/** Changes the state as a client does. An event of a type that nobody taught it fails the test. */
export function reduce(state: State, event: Event): void {
  if (reduceMessages(state, event) || reduceChannels(state, event)) return;
  const reducer = REDUCERS[event["type"]];
  if (!reducer) throw new Error(`the sync law does not know the event ${event["type"]}`);
  reducer(state, event);
}

function reducePresence(state: State, event: Event): void {
  const { presences, user_id, presence, email } = event;
  if (presences) Object.assign(state["presences"], presences);
  else if (email !== undefined) {
    const { pushable: _pushable, ...aggregated } = presence.website;
    state["presences"][email] = { aggregated, website: presence.website };
  } else if (presence.website.status === "active") {
    const { timestamp } = presence.website;
    state["presences"][user_id] = { active_timestamp: timestamp, idle_timestamp: timestamp };
  }
}

function reduceUsers(state: State, event: Event): void {
  const { op, person } = event;
  const lists = ["realm_users", "realm_non_active_users"];
  const holder = lists.find((list) => state[list].some(is(person.user_id)));
  if (op === "add") {
    const { is_active: _always, ...user } = person;
    if (holder) state[holder] = state[holder].filter((u: Event) => !is(person.user_id)(u));
    state["realm_users"].push(user);
  } else if (op === "remove" && holder) {
    state[holder] = state[holder].filter((u: Event) => !is(person.user_id)(u));
  } else if (op === "update" && holder) {
    const user = state[holder].find(is(person.user_id));
    applyToUser(state, user, person);
    if (!("is_active" in person)) return;
    state[holder] = state[holder].filter((u: Event) => u !== user);
    state[person.is_active ? "realm_users" : "realm_non_active_users"].push(user);
    if (!person.is_active) forgetMember(state, person.user_id);
  }
}

/** Whose account goes off is in no group and no setting; no event says so besides. */
function forgetMember(part: unknown, user_id: number): void {
  if (typeof part !== "object" || part === null) return;
  for (const [name, value] of Object.entries(part)) {
    if (name === "direct_members" || (name === "members" && "direct_subgroup_ids" in part)) {
      (part as Event)[name] = (value as number[]).filter((id) => id !== user_id);
    } else forgetMember(value, user_id);
  }
}

const is = (user_id: number) => (user: Event) => user["user_id"] === user_id;

function gravatarBehind({ avatar_url_medium: medium }: State): string {
  return medium.replace(/&s=500$/, "");
}

const OWN_FIELDS = [
  "full_name",
  "email",
  "delivery_email",
  "avatar_url",
  "is_owner",
  "is_admin",
  "is_guest",
];

function applyToUser(state: State, user: Event, change: Event): void {
  const { user_id, is_active: _active, new_email, custom_profile_field: field, ...rest } = change;
  const { avatar_source, avatar_url_medium, ...fields } = rest;
  Object.assign(user, fields);
  if (new_email !== undefined) user["email"] = new_email;
  if (field) {
    if (field.value === null) delete user["profile_data"][field.id];
    else {
      const { id: _id, ...value } = field;
      user["profile_data"][field.id] = value;
    }
  }
  if ("role" in fields) {
    user["is_owner"] = fields["role"] === 100;
    user["is_admin"] = fields["role"] <= 200;
    user["is_guest"] = fields["role"] === 600;
  }
  if (user_id === state["user_id"]) {
    if (avatar_source) Object.assign(state, { avatar_source, avatar_url_medium });
    for (const name of OWN_FIELDS) if (name in user) state[name] = user[name];
    // A client works a gravatar out itself; the own one it was told in full at first.
    if (user["avatar_url"] === null) state["avatar_url"] = gravatarBehind(state);
    state["is_moderator"] = user["role"] <= 300;
  }
}

function reduceGroups(state: State, event: Event): void {
  const groups: Event[] = state["realm_user_groups"];
  const group = groups.find((g) => g["id"] === event["group_id"]);
  switch (event["op"]) {
    case "add":
      groups.push(event["group"]);
      return;
    case "remove":
      state["realm_user_groups"] = groups.filter((g) => g !== group);
      return;
    case "update":
      Object.assign(group!, event["data"]);
      return;
    case "add_members":
      group!["members"] = [...group!["members"], ...event["user_ids"]];
      return;
    case "remove_members":
      group!["members"] = group!["members"].filter((m: number) => !event["user_ids"].includes(m));
      return;
    case "add_subgroups":
      group!["direct_subgroup_ids"].push(...event["direct_subgroup_ids"]);
      return;
    case "remove_subgroups": {
      const gone: number[] = event["direct_subgroup_ids"];
      const kept = group!["direct_subgroup_ids"].filter((g: number) => !gone.includes(g));
      group!["direct_subgroup_ids"] = kept;
    }
  }
}
