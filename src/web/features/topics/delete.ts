// Deletes a topic with all its messages, after asking: that cannot be taken back.
import { dropTopic } from "../../api/manage-calls.ts";
import { sync } from "../../here.ts";
import { keyed, now } from "../../live.ts";
import { showRefusal } from "../../optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { topicName } from "../conversation/drawing.ts";
import { mayDeleteTopic } from "../messages/permits.ts";
import { askSure } from "../settings/sure.tsx";

export function deleteTopic(stream_id: number, topic: string): void {
  const words = {
    title: say("topic-delete-now"),
    words: say("topic-delete-sure", { topic: topicName(topic) }),
    act: say("topic-delete-now"),
    may: () => {
      keyed("channels", `user:${now().people.me}`);
      return mayDeleteTopic(now(), stream_id);
    },
  };
  askSure(words, () => void deleteAll(stream_id, topic));
}

/** The server deletes long topics in parts. */
async function deleteAll(stream_id: number, topic_name: string): Promise<void> {
  try {
    let isAll = false;
    while (!isAll) ({ complete: isAll } = await dropTopic(sync, { stream_id, topic_name }));
    showToast({ words: say("topic-deleted") });
  } catch (error) {
    showRefusal(error);
  }
}
