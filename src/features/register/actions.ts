// Polls and deletes event queues.
import Type from "typebox";
import { badEventQueueId, badRequest } from "../../contract/errors/general.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import {
  bool,
  type Context,
  defaulted,
  endpoint,
  int,
  JsonText,
  LaterText,
  optional,
  text,
} from "../../endpoint.ts";
import { poll } from "../../queues/poll.ts";
import type { Queue } from "../../queues/queue.ts";

export const getEvents = endpoint({
  summary: "Get events of a queue, waiting for new ones",
  tag: "Events",
  params: {
    queue_id: optional(text),
    last_event_id: optional(int),
    dont_block: defaulted(bool, false),
  },
  answer: Type.Object({ events: list(Type.Unknown()), queue_id: Type.String() }),
  refuses: ["BAD_EVENT_QUEUE_ID"],
  run: (context, { queue_id, last_event_id, dont_block }) => {
    const { realm, key, session } = context;
    if (queue_id === undefined) throw badRequest("Missing 'queue_id' argument");
    if (last_event_id === undefined) throw badRequest("Missing 'last_event_id' argument");
    const queue = ownQueue(context, queue_id);
    if (!queue) throw badEventQueueId(queue_id);
    const laterText = new LaterText();
    const asked_with = key ? key.key_id : -session!.session_id;
    const response = poll(realm.hub, queue, last_event_id, dont_block, laterText, asked_with);
    return response === undefined ? laterText : new JsonText(response, false);
  },
});

/** A queue of a session can be polled only in that session, so that no poll outlives it. */
function ownQueue({ realm, user, session }: Context, queue_id: string): Queue | undefined {
  const queue = realm.hub.find(queue_id, user.user_id);
  const session_id = session?.session_id ?? null;
  return (queue?.record.session_id ?? null) === session_id ? queue : undefined;
}

export const deleteQueue = endpoint({
  summary: "Delete an event queue",
  tag: "Events",
  params: { queue_id: text },
  answer: nothing,
  refuses: ["BAD_EVENT_QUEUE_ID"],
  run: async (context, { queue_id }) => {
    const { realm } = context;
    if (!ownQueue(context, queue_id)) throw badEventQueueId(queue_id);
    realm.hub.close(queue_id);
    await realm.write((tx) => tx.queues.delete(queue_id));
    return {};
  },
});
