// Polling a queue, and giving it up.
import { bool, defaulted, endpoint, int, JsonText, text } from "../../endpoint.ts";
import { badEventQueueId } from "../../errors.ts";
import { abandon, poll } from "../../queues/poll.ts";

export const getEvents = endpoint({
  params: { queue_id: text, last_event_id: int, dont_block: defaulted(bool, false) },
  run: ({ realm, user, request }, { queue_id, last_event_id, dont_block }) => {
    const queue = realm.hub.find(queue_id, user.user_id);
    if (!queue) throw badEventQueueId(queue_id);
    const answer = poll(realm.hub, queue, last_event_id, dont_block);
    if (typeof answer === "string") return new JsonText(answer);
    request.signal.addEventListener("abort", () => abandon(realm.hub, queue, answer));
    return answer.then(asJson);
  },
});

const asJson = (body: string) => new JsonText(body);

export const deleteQueue = endpoint({
  params: { queue_id: text },
  run: async ({ realm, user }, { queue_id }) => {
    if (!realm.hub.find(queue_id, user.user_id)) throw badEventQueueId(queue_id);
    realm.hub.close(queue_id);
    await realm.write((tx) => tx.queues.delete(queue_id));
    return {};
  },
});
