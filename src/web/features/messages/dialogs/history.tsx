// Edit history of a message: its versions, with the changed words marked.
import { useEffect, useRef } from "preact/hooks";
import { fetchHistory, type Version } from "../../../api/deed-calls.ts";
import { rendered } from "../../../content/rendered.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { showRefusal } from "../../../optimistic.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { formatMoment } from "../../../words/dates.ts";
import { say } from "../../../words/words.ts";
import { drawing, topicName } from "../../conversation/drawing.ts";
import { personOf } from "../../people/state.ts";
import type { Message } from "../state.ts";

const ID = "message-history";

export async function showHistory({ id: message_id }: Message): Promise<void> {
  try {
    const asked = { message_id, allow_empty_topic_name: true };
    const { message_history } = await fetchHistory(sync, asked);
    openLayer(ID, <History versions={message_history.toReversed()} />);
  } catch (error) {
    showRefusal(error);
  }
}

function History({ versions }: { versions: readonly Version[] }) {
  return (
    <Dialog id={ID} title={say("message-history")}>
      <ol class="messages-versions">
        {versions.map((version, at) => (
          <li key={at}>
            <p class="messages-by">
              <bdi>{nameOf(version.user_id)}</bdi> <time>{formatMoment(version.timestamp)}</time>
            </p>
            {version.prev_topic !== undefined && (
              <p class="messages-by">
                {say("topic-changed", {
                  from: topicName(version.prev_topic),
                  to: topicName(version.topic),
                })}
              </p>
            )}
            {version.prev_stream !== undefined && (
              <p class="messages-by">
                {say("channel-changed", { from: channelName(version.prev_stream) })}
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
  const person = user_id === null ? undefined : personOf(now().people, user_id);
  return person?.full_name ?? say("unknown-user");
}

const channelName = (stream_id: number): string =>
  now().channels.channels.get(stream_id)?.row.name ?? say("unknown-channel");

export function Content({ html }: { html: string }) {
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = rendered(html, drawing);
    // Differences are wrapped in an element of their own.
    const { firstElementChild: box, childElementCount } = parsed;
    if (childElementCount === 1 && box!.matches("div:not([class])"))
      box!.replaceWith(...box!.childNodes);
    node.current?.replaceChildren(parsed);
  }, [html]);
  return <div class="md" dir="auto" ref={node} />;
}
