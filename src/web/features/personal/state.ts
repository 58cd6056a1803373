/** The user's own data: drafts, scheduled messages, snippets, views, alert words and devices. */
import type { Static } from "typebox";
import type {
  draftShape,
  reminderShape,
  scheduledShape,
  snippetShape,
} from "../../../contract/shapes/personal.ts";
import type { navigationViewShape } from "../../../contract/shapes/organization.ts";
import type { Changed, Event, Snapshot } from "../../contract/snapshot.ts";

export type Draft = Static<typeof draftShape>;
export type ScheduledMessage = Static<typeof scheduledShape>;
type Reminder = Static<typeof reminderShape>;
export type Snippet = Static<typeof snippetShape>;
export type NavigationView = Static<typeof navigationViewShape>;

type RegisteredDevice = NonNullable<Snapshot["devices"]>[string];

export interface Personal {
  drafts: Map<number, Draft>;
  /** Greatest id of a draft in the register snapshot or an event. Ids increase. */
  newestDraft: number;
  scheduled: Map<number, ScheduledMessage>;
  reminders: Map<number, Reminder>;
  snippets: Map<number, Snippet>;
  views: Map<string, NavigationView>;
  alert_words: readonly string[];
  onboarding_steps: NonNullable<Snapshot["onboarding_steps"]>;
  devices: Record<string, RegisteredDevice>;
}

export const PERSONAL_FIELDS = [
  "drafts",
  "scheduled_messages",
  "reminders",
  "saved_snippets",
  "navigation_views",
  "alert_words",
  "onboarding_steps",
  "devices",
] as const;

export function hydratePersonal(snapshot: Snapshot): Personal {
  return {
    drafts: mapByKey<Draft, number>(snapshot.drafts, ({ id }) => id),
    newestDraft: Math.max(0, ...(snapshot.drafts ?? []).map(({ id }) => id)),
    scheduled: mapByKey(snapshot.scheduled_messages, scheduledId),
    reminders: mapByKey<Reminder, number>(snapshot.reminders, ({ reminder_id }) => reminder_id),
    snippets: mapByKey<Snippet, number>(snapshot.saved_snippets, ({ id }) => id),
    views: mapByKey<NavigationView, string>(snapshot.navigation_views, ({ fragment }) => fragment),
    alert_words: snapshot.alert_words ?? [],
    onboarding_steps: snapshot.onboarding_steps ?? [],
    devices: { ...snapshot.devices },
  };
}

const scheduledId = ({ scheduled_message_id }: ScheduledMessage) => scheduled_message_id;

function mapByKey<T, K>(list: readonly T[] | undefined, keyOf: (item: T) => K): Map<K, T> {
  return new Map((list ?? []).map((item) => [keyOf(item), item]));
}

export function dehydratePersonal(personal: Personal): Partial<Snapshot> {
  return {
    drafts: [...personal.drafts.values()],
    scheduled_messages: [...personal.scheduled.values()],
    reminders: [...personal.reminders.values()],
    saved_snippets: [...personal.snippets.values()],
    navigation_views: [...personal.views.values()],
    alert_words: personal.alert_words,
    onboarding_steps: personal.onboarding_steps,
    devices: personal.devices,
  };
}

export function reducePersonal(personal: Personal, event: Event, changed: Changed): void {
  switch (event.type) {
    case "drafts":
      reduceDrafts(personal, event);
      break;
    case "scheduled_messages":
      reduceScheduled(personal, event);
      break;
    case "reminders":
      for (const reminder of event.reminders ?? [])
        personal.reminders.set(reminder.reminder_id, reminder);
      if (event.op === "remove") personal.reminders.delete(event.reminder_id);
      break;
    case "saved_snippets":
      if (event.op === "remove") personal.snippets.delete(event.saved_snippet_id);
      else personal.snippets.set(event.saved_snippet.id, event.saved_snippet);
      break;
    case "navigation_view":
      reduceView(personal, event);
      break;
    case "alert_words":
      personal.alert_words = event.alert_words;
      break;
    case "onboarding_steps":
      personal.onboarding_steps = event.onboarding_steps;
      break;
    case "device":
      reduceDevice(personal, event);
      break;
    case "user_settings":
      // If synchronization is off, each client keeps its own drafts.
      if (event.property !== "enable_drafts_synchronization" || event.value) return;
      personal.drafts.clear();
      changed.add("drafts");
      return;
    default:
      return;
  }
  changed.add(event.type);
}

function reduceDrafts(
  personal: Personal,
  { op, drafts: added, draft, draft_id }: Event<"drafts">,
): void {
  const { drafts } = personal;
  if (op === "add") {
    for (const draft of added) {
      drafts.set(draft.id, draft);
      personal.newestDraft = Math.max(personal.newestDraft, draft.id);
    }
  } else if (op === "update") drafts.set(draft.id, draft);
  else drafts.delete(draft_id);
}

function reduceScheduled({ scheduled }: Personal, event: Event<"scheduled_messages">): void {
  for (const scheduledMessage of event.scheduled_messages ?? [])
    scheduled.set(scheduledId(scheduledMessage), scheduledMessage);
  if (event.op === "update") {
    const changed: ScheduledMessage = event.scheduled_message;
    scheduled.set(scheduledId(changed), changed);
  } else if (event.op === "remove") scheduled.delete(event.scheduled_message_id);
}

const NEW_VIEW = { is_pinned: false, name: null };

function reduceView(
  { views }: Personal,
  { op, navigation_view, fragment, data }: Event<"navigation_view">,
): void {
  if (op === "add") views.set(navigation_view.fragment, navigation_view);
  else if (op === "remove") views.delete(fragment);
  else views.set(fragment, { ...NEW_VIEW, ...views.get(fragment), fragment, ...data });
}

const NEW_DEVICE = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
};

function reduceDevice({ devices }: Personal, event: Event<"device">): void {
  const { op, device_id } = event;
  if (op === "remove") delete devices[device_id];
  else if (op === "add") devices[device_id] = { ...NEW_DEVICE };
}
