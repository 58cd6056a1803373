// Effects of client capabilities on events: renderers per event type, and events that a queue
// does not receive.
import { editEventPersonal } from "../features/messages/edit/events.ts";
import { EMPTY_TOPIC_NAME } from "../features/messages/rules.ts";
import {
  messageEventPersonal,
  messageEventText,
  messageVariant,
} from "../features/messages/send/new-message.ts";
import {
  canReceiveUnsubscribed,
  passesQueueNarrow,
} from "../features/messages/send/queue-narrow.ts";
import { realmEventInServiceSpelling } from "../features/organization/setting-events.ts";
import { withoutGravatar } from "../features/people/wire.ts";
import { presenceEventFor } from "../features/presence/wire.ts";
import { withPronounsAsText } from "../features/profile/wire.ts";
import { reactionFor, reactionVariant } from "../features/reactions/client-events.ts";
import type { EventRouter, QueuedEvent } from "../queues/event-router.ts";
import type { Realm } from "../realm.ts";
import type { QueueRecord } from "../schema/records.ts";
import { isInAudience, canReceive, peopleOf, sizeOf } from "./audiences.ts";
import {
  type Audience,
  CAN,
  CAN_EMPTY_TOPIC,
  type MessageEvent,
  type PlainEvent,
  type SkeinEvent,
  WANTS_GRAVATAR_LEFT_OUT,
  WANTS_PRONOUNS_AS_TEXT,
  WANTS_SERVICE_SPELLING,
  WANTS_SLIM_PRESENCE,
} from "./events.ts";
import { hasDoubledKey, inBothSpellings } from "./names.ts";

/** Renders an event for queues with certain capabilities, as one event, several or none. */
interface Renderer {
  /** The capability bits that change the rendering. */
  readonly capabilities: number;
  readonly render: (event: PlainEvent, capabilities: number) => PlainEvent[];
}

const emptyTopicNamed = (...fields: string[]): Renderer => ({
  capabilities: CAN_EMPTY_TOPIC,
  render: (event, capabilities) => {
    if (capabilities & CAN_EMPTY_TOPIC) return [event];
    const renamed = { ...event };
    for (const field of fields) if (renamed[field] === "") renamed[field] = EMPTY_TOPIC_NAME;
    return [renamed];
  },
});

const RENDERERS: Partial<Record<SkeinEvent["type"], Renderer>> = {
  typing: emptyTopicNamed("topic"),
  typing_edit_message: {
    capabilities: CAN_EMPTY_TOPIC,
    render: (event, capabilities) => {
      const recipient = event["recipient"] as { topic?: string };
      if (recipient.topic !== "" || capabilities & CAN_EMPTY_TOPIC) return [event];
      return [{ ...event, recipient: { ...recipient, topic: EMPTY_TOPIC_NAME } }];
    },
  },
  user_topic: emptyTopicNamed("topic_name"),
  update_message: emptyTopicNamed("orig_subject", "subject"),
  delete_message: {
    capabilities: CAN_EMPTY_TOPIC | CAN.bulk_message_deletion,
    render: (event, capabilities) => {
      const [renamed] = emptyTopicNamed("topic").render(event, capabilities) as [PlainEvent];
      if (capabilities & CAN.bulk_message_deletion) return [renamed];
      const { message_ids, ...rest } = renamed;
      return (message_ids as number[]).map((id) => ({ ...rest, message_id: id }) as PlainEvent);
    },
  },
  muted_topics: {
    capabilities: CAN_EMPTY_TOPIC,
    render: (event, capabilities) => {
      if (capabilities & CAN_EMPTY_TOPIC) return [event];
      const rows = event["muted_topics"] as [string, string, number][];
      const renamed = rows.map(([channel, topic, time]) => [
        channel,
        topic || EMPTY_TOPIC_NAME,
        time,
      ]);
      return [{ ...event, muted_topics: renamed }];
    },
  },
  update_message_flags: {
    capabilities: CAN_EMPTY_TOPIC,
    render: (event, capabilities) => {
      const details = event["message_details"] as Record<string, { topic?: string }> | undefined;
      if (!details || capabilities & CAN_EMPTY_TOPIC) return [event];
      const renamed = Object.entries(details).map(([id, detail]) => [
        id,
        detail.topic === "" ? { ...detail, topic: EMPTY_TOPIC_NAME } : detail,
      ]);
      return [{ ...event, message_details: Object.fromEntries(renamed) }];
    },
  },
  realm: {
    capabilities: WANTS_SERVICE_SPELLING,
    render: (event, capabilities) => [
      capabilities & WANTS_SERVICE_SPELLING ? realmEventInServiceSpelling(event) : event,
    ],
  },
  custom_profile_fields: {
    capabilities: WANTS_PRONOUNS_AS_TEXT,
    render: (event, capabilities) => {
      if (!(capabilities & WANTS_PRONOUNS_AS_TEXT)) return [event];
      return [{ ...event, fields: withPronounsAsText(event["fields"] as object[]) }];
    },
  },
  realm_user: {
    capabilities: WANTS_GRAVATAR_LEFT_OUT,
    render: (event, capabilities) => [
      capabilities & WANTS_GRAVATAR_LEFT_OUT ? withoutGravatar(event) : event,
    ],
  },
  presence: {
    capabilities: WANTS_SLIM_PRESENCE | CAN.simplified_presence_events,
    render: (event, capabilities) => {
      const modern = (capabilities & CAN.simplified_presence_events) !== 0;
      const slim = (capabilities & WANTS_SLIM_PRESENCE) !== 0;
      return [presenceEventFor(event, modern ? "modern" : slim ? "slim" : "legacy")];
    },
  },
};

/** Answers the hub's questions for one realm. */
export function eventRouterOf(realm: Realm): EventRouter {
  const { read } = realm;
  return {
    size: (audience) => sizeOf(read, audience as Audience),
    people: (audience, seq) => peopleOf(read, audience as Audience, seq),
    includes: (audience, user_id, seq) => isInAudience(read, audience as Audience, user_id, seq),
    canReceive: (user_id, asked_with) => canReceive(read, user_id, asked_with),
    get endings() {
      return read.api_keys.revision + read.sessions.revision;
    },
    get isClosed() {
      return read.deactivations.has(1);
    },
    isWide: (queue) => queue.all_public_streams || queue.narrow.length > 0,
    allowsEvent: (queue, queuedEvent, inAudience) =>
      allowsEvent(realm, queue, queuedEvent, inAudience),
    variant: (queue, queuedEvent) => {
      if (queuedEvent.event.type === "message") {
        return messageVariant(realm, queuedEvent.event as MessageEvent, queue);
      }
      if (queuedEvent.event.type === "reaction") {
        return reactionVariant(read, queuedEvent.event as PlainEvent, queue);
      }
      const capabilities = RENDERERS[queuedEvent.event.type as SkeinEvent["type"]]?.capabilities;
      return capabilities === undefined ? 0 : packed(queue.capabilities, capabilities);
    },
    render: (queuedEvent, variant) => {
      const event = queuedEvent.event as SkeinEvent;
      if (event.type === "message") return messageEventText(realm, event, variant);
      if (event.type === "reaction") return [textOf(reactionFor(read, event, variant))];
      const renderer = RENDERERS[event.type];
      if (!renderer)
        return [
          isAsWritten(event) && queuedEvent.text ? queuedEvent.text.slice(0, -1) : textOf(event),
        ];
      return renderer.render(event, unpacked(variant, renderer.capabilities)).map(textOf);
    },
    personal: (queuedEvent, queue) => {
      const event = queuedEvent.event as SkeinEvent;
      if (event.type === "message") return messageEventPersonal(realm, event, queue);
      return event.type === "update_message" ? editEventPersonal(realm, event, queue) : "";
    },
  };
}

function allowsEvent(
  realm: Realm,
  queue: QueueRecord,
  queuedEvent: QueuedEvent,
  inAudience: boolean,
): boolean {
  const event = queuedEvent.event as SkeinEvent;
  if (event.type === "message") {
    if (!inAudience && !canReceiveUnsubscribed(realm.read, queue, event)) return false;
    return queue.narrow.length === 0 || passesQueueNarrow(realm.read, queue, event);
  }
  if (!inAudience) return false;
  if (event.needs && !(queue.capabilities & CAN[event.needs])) return false;
  if (event.lacks && queue.capabilities & bitsOf(event.lacks)) return false;
  return event.type !== "muted_topics" || !queue.event_types?.includes("user_topic");
}

const bitsOf = (lacks: NonNullable<PlainEvent["lacks"]>): number =>
  typeof lacks === "string" ? CAN[lacks] : lacks.reduce((bits, name) => bits | CAN[name], 0);

/** Whether clients receive the text that is stored in the log. */
function isAsWritten(event: PlainEvent): boolean {
  return event.needs === undefined && event.lacks === undefined && !hasDoubledKey(event);
}

function textOf({ needs: _needs, lacks: _lacks, ...event }: PlainEvent): string {
  return JSON.stringify(inBothSpellings(event)).slice(0, -1);
}

/** Packs the bits of `mask` that are set in `bits` into a small number identifying a variant. */
function packed(bits: number, mask: number): number {
  let variant = 0;
  for (let rest = mask, index = 1; rest !== 0; rest &= rest - 1, index *= 2) {
    if (bits & rest & -rest) variant += index;
  }
  return variant;
}

function unpacked(variant: number, mask: number): number {
  let bits = 0;
  for (let rest = mask, index = 1; rest !== 0; rest &= rest - 1, index *= 2) {
    if (variant & index) bits |= rest & -rest;
  }
  return bits;
}
