// Registers a client: creates its queue and the initial state in one synchronous step.
import Type from "typebox";
import {
  badRequest,
  notAuthorizedForQuery,
  notForSpectators,
} from "../../contract/errors/general.ts";
import {
  CAN,
  type Capability,
  WANTS_GRAVATAR_LEFT_OUT,
  WANTS_MARKDOWN_RENDERED,
  WANTS_PRONOUNS_AS_TEXT,
  WANTS_SERVICE_SPELLING,
  WANTS_SLIM_PRESENCE,
} from "../../contract/events.ts";
import { inServiceSpelling } from "../../contract/names.ts";
import { registeredShape } from "../../contract/shapes/snapshot.ts";
import {
  bool,
  defaulted,
  int,
  json,
  JsonText,
  nonNegativeInt,
  openEndpoint,
  optional,
  rawText,
  text,
} from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { QueueRecord, User } from "../../schema/records.ts";
import { defaultsOf } from "../bots/defaults.ts";
import { botOf } from "../bots/wire.ts";
import { accessAsViewer } from "../channels/access.ts";
import { withSubscribers } from "../channels/manage/new-channel.ts";
import { checkQueueNarrow } from "../messages/send/queue-narrow.ts";
import { isGuest, SPECTATOR, type Viewer } from "../rights/rules.ts";
import {
  EVENT_TYPE_LENGTH_MAX,
  EVENT_TYPES_MAX,
  idleTimeoutOf,
  QUEUES_PER_USER_MAX,
  type SnapshotOptions,
} from "./rules.ts";
import { snapshotOf } from "./snapshot.ts";

const PRESENCE_HISTORY_DAYS = 14;
/** Clients that request this group by its legacy name get legacy names in it. */
const SERVICE_VERSION = inServiceSpelling("zulip_version");
const types = json(
  Type.Array(Type.String({ maxLength: EVENT_TYPE_LENGTH_MAX }), { maxItems: EVENT_TYPES_MAX }),
);

/** Opens the queue where the snapshot ends; the queue is durable before this resolves. */
async function register(
  realm: Realm,
  user: User,
  requested: Omit<QueueRecord, "queue_id" | "user_id" | "created" | "acknowledged" | "pending">,
  requestedTypes: readonly string[] | null,
  options: SnapshotOptions,
): Promise<JsonText> {
  freeSpace(realm, user);
  const record: QueueRecord = {
    ...requested,
    queue_id: crypto.randomUUID(),
    user_id: user.user_id,
    created: realm.read.now,
    acknowledged: realm.hub.newest,
    pending: null,
  };
  realm.hub.open(record);
  try {
    const snapshot = snapshotOf(realm, user, requestedTypes, options);
    await realm.write((tx) => tx.queues.put(record));
    return responseOf({
      queue_id: record.queue_id,
      last_event_id: record.acknowledged,
      idle_queue_timeout_secs: record.idle_timeout_secs,
      ...snapshot,
    });
  } catch (error) {
    realm.hub.close(record.queue_id);
    throw error;
  }
}

/** Serializes a response; fields that are JSON text already are inserted as they are. */
function responseOf(fields: Record<string, unknown>): JsonText {
  const texts: string[] = [];
  const others: Record<string, unknown> = { result: "success", msg: "" };
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof JsonText) texts.push(`,"${name}":`, value.text);
    else others[name] = value;
  }
  return new JsonText([JSON.stringify(others).slice(0, -1), ...texts, "}"].join(""));
}

/** If a user has too many queues, deletes the one that was idle longest. */
function freeSpace(realm: Realm, user: User): void {
  const queues = realm.hub.of(user.user_id);
  if (queues.length < QUEUES_PER_USER_MAX) return;
  const idlest = queues.reduce((a, b) => (a.lastActive <= b.lastActive ? a : b));
  realm.hub.close(idlest.record.queue_id);
}

export const registerQueue = openEndpoint({
  summary: "Register an event queue, and get the initial state",
  tag: "Events",
  params: {
    apply_markdown: defaulted(bool, false),
    client_gravatar: optional(bool),
    include_subscribers: defaulted(text, "false"),
    slim_presence: defaulted(bool, false),
    presence_history_limit_days: optional(nonNegativeInt),
    event_types: optional(types),
    fetch_event_types: optional(types),
    all_public_streams: optional(bool),
    narrow: optional(json(Type.Array(Type.Array(Type.String())))),
    client_capabilities: optional(json(Type.Record(Type.String(), Type.Unknown()))),
    pronouns_field_type_supported: defaulted(bool, true),
    idle_queue_timeout: optional(rawText),
    queue_lifespan_secs: optional(int),
  },
  answer: registeredShape,
  run: ({ realm, user, client, key, session }, params) => {
    const viewer = accessAsViewer(realm.read, user);
    const include_subscribers = withSubscribers(params.include_subscribers);
    checkRequestedBy(viewer, { ...params, include_subscribers });
    const event_types = params.event_types ?? null;
    const client_gravatar = params.client_gravatar ?? viewer !== SPECTATOR;
    const capabilities = capabilitiesOf({ ...params, client_gravatar });
    const requestedTypes = params.fetch_event_types ?? event_types;
    const options = {
      client_gravatar,
      include_subscribers,
      presence_history_limit_days: params.presence_history_limit_days ?? PRESENCE_HISTORY_DAYS,
      capabilities,
      event_types,
    };
    if (viewer === SPECTATOR) {
      const snapshot = snapshotOf(realm, viewer, requestedTypes, options);
      return responseOf({ queue_id: null, last_event_id: -1, ...snapshot });
    }
    const bot = defaultsOf(realm.read, null, botOf(realm.read, viewer.user_id));
    const request = {
      client,
      idle_timeout_secs: idleTimeoutOf(
        params.idle_queue_timeout === undefined
          ? params.queue_lifespan_secs || undefined
          : requestedTimeout(params.idle_queue_timeout),
      ),
      event_types,
      capabilities,
      all_public_streams:
        params.all_public_streams ?? (bot.default_all_public_streams && !isGuest(viewer)),
      narrow: checkQueueNarrow(params.narrow ?? narrowTo(bot.default_events_register_stream)),
      session_id: session?.session_id ?? null,
      key_id: key?.key_id ?? null,
    };
    return register(realm, viewer, request, requestedTypes, options);
  },
});

/** Spectators get no queue, and no data from which a client could derive email addresses. */
function checkRequestedBy(
  viewer: Viewer,
  params: {
    client_gravatar: boolean | undefined;
    include_subscribers: boolean | "partial";
    all_public_streams: boolean | undefined;
  },
): void {
  if (params.all_public_streams === true && (viewer === SPECTATOR || isGuest(viewer))) {
    throw notAuthorizedForQuery();
  }
  if (viewer !== SPECTATOR) return;
  if (params.client_gravatar) throw notForSpectators("client_gravatar");
  if (params.include_subscribers) throw notForSpectators("include_subscribers");
}

const narrowTo = (channel: string | null) => (channel === null ? [] : [["stream", channel]]);

/** Requested by a parameter or declared as a capability. */
const PRONOUNS_SUPPORTED = "pronouns_field_type_supported";

function capabilitiesOf(params: {
  apply_markdown: boolean;
  client_gravatar: boolean;
  slim_presence: boolean;
  pronouns_field_type_supported: boolean;
  client_capabilities?: Record<string, unknown> | undefined;
  fetch_event_types?: readonly string[] | undefined;
}): number {
  const declared = params.client_capabilities ?? {};
  const pronouns = declared[PRONOUNS_SUPPORTED] ?? params[PRONOUNS_SUPPORTED];
  let bits = pronouns === false ? WANTS_PRONOUNS_AS_TEXT : 0;
  if (params.apply_markdown) bits |= WANTS_MARKDOWN_RENDERED;
  if (params.client_gravatar) bits |= WANTS_GRAVATAR_LEFT_OUT;
  if (params.slim_presence) bits |= WANTS_SLIM_PRESENCE;
  if (params.fetch_event_types?.includes(SERVICE_VERSION)) bits |= WANTS_SERVICE_SPELLING;
  for (const [name, value] of Object.entries(declared)) {
    if (value === true && Object.hasOwn(CAN, name)) bits |= CAN[name as Capability];
  }
  return bits;
}

/** A number of seconds or "mobile", as plain text or JSON. */
function requestedTimeout(text: string): number | "mobile" {
  const stripped = text.replace(/^"(.*)"$/, "$1");
  if (stripped === "mobile") return stripped;
  if (!/^-?\d{1,15}$/.test(stripped)) throw badRequest("idle_queue_timeout is not an integer");
  return Number(stripped);
}
