// Edit history of a message: its versions, with the changed words marked.
import { fetchHistory, type Version } from "../../../api/message-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { showRefusal } from "../../../sync/optimistic.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { replacerOf } from "../../../ui/layers.ts";
import { formatMoment } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { Content } from "../../page/content.tsx";
import { topicName } from "../../conversation/selectors.ts";
import { personOf } from "../../people/state.ts";
import type { Message } from "../../../contract/message.ts";

const ID = "message-history";

export async function showHistory({ id: message_id }: Message): Promise<void> {
  const replace = replacerOf(ID);
  try {
    const params = { message_id, allow_empty_topic_name: true };
    const { message_history } = await fetchHistory(sync, params);
    replace(<History versions={message_history.toReversed()} />);
  } catch (error) {
    showRefusal(error);
  }
}

function History({ versions }: { versions: readonly Version[] }) {
  return (
    <Dialog id={ID} title={t("message-history")}>
      <ol class="messages-versions">
        {versions.map((version, index) => (
          <li key={index}>
            <p class="messages-by">
              <bdi>{nameOf(version.user_id)}</bdi> <time>{formatMoment(version.timestamp)}</time>
            </p>
            {version.prev_topic !== undefined && (
              <p class="messages-by">
                {t("topic-changed", {
                  from: topicName(version.prev_topic),
                  to: topicName(version.topic),
                })}
              </p>
            )}
            {version.prev_stream !== undefined && (
              <p class="messages-by">
                {t("channel-changed", { from: channelName(version.prev_stream) })}
              </p>
            )}
            <Content html={version.content_html_diff ?? version.rendered_content} />
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

function nameOf(user_id: number | null): string {
  const person = user_id === null ? undefined : personOf(getState().people, user_id);
  return person?.full_name ?? t("unknown-user");
}

const channelName = (stream_id: number): string =>
  getState().channels.channels.get(stream_id)?.row.name ?? t("unknown-channel");
