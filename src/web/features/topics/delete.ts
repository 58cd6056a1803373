// Deletes a topic with all its messages, after a confirmation.
import { dropTopic } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";
import { canDeleteTopic } from "../messages/permissions.ts";
import { confirmAction } from "../settings/confirm.tsx";

export function deleteTopic(stream_id: number, topic: string): void {
  const words = {
    title: t("topic-delete-now"),
    text: t("topic-delete-sure", { topic: topicName(topic) }),
    actionLabel: t("topic-delete-now"),
    isAllowed: () => {
      subscribe("channels", `user:${getState().people.me}`);
      return canDeleteTopic(getState(), stream_id);
    },
  };
  confirmAction(words, () => void deleteAll(stream_id, topic));
}

/** The server deletes long topics in parts. */
async function deleteAll(stream_id: number, topic_name: string): Promise<void> {
  try {
    let isAll = false;
    while (!isAll) ({ complete: isAll } = await dropTopic(sync, { stream_id, topic_name }));
    showToast({ text: t("topic-deleted") });
  } catch (error) {
    showRefusal(error);
  }
}
