// The messages of a view, under its bar.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { messageOf } from "../messages/selectors.ts";
import { runAction, runActionByKey } from "../../feed/row-actions.ts";
import { isContiguous, narrowKey } from "../../store/narrow.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { importOrReload } from "../../scripts.ts";
import { sync } from "../../sync/session.ts";
import { whenShown } from "../../ui/loading/scheduling.ts";
import { conversationOf } from "../../views.ts";
import { BlankNote } from "../../ui/loading/blank.tsx";
import { lazyAfterFirstView } from "../../ui/loading/lazy.tsx";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import { Hint } from "./banners/hint.tsx";
import type { ViewStatus } from "./current-state.ts";
import { OpenView } from "./open.ts";

const TopicNote = lazyAfterFirstView(
  async () => (await import("../topic-notes/view.tsx")).TopicNote,
);
const Empty = lazyAfterFirstView(async () => (await import("./empty.tsx")).Empty, BlankNote);
const ManyUnreadBanner = lazyAfterFirstView(
  async () => (await import("./banners/many-unread.tsx")).ManyUnreadBanner,
);

/** Loaded without delaying the messages; a click before it is loaded waits for it. */
const loadFeedParts = () => importOrReload(() => import("./feed-parts.ts"));
void whenShown.then(loadFeedParts);

interface MessagesProps {
  terms: readonly NarrowTerm[];
  /** Removes from rows what guests cannot use. */
  removeControls?: ViewStatus["removeControls"];
}

/**
 * The messages that match the terms. The component is mounted again if the terms are of another
 * view.
 */
export function Messages({ terms, removeControls }: MessagesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const loadError = useSignal<ViewStatus["loadError"]["value"]>(undefined);
  const isEmpty = useSignal(false);
  const announcement = useSignal("");
  const refusal = typeof loadError.value === "object" ? loadError.value : undefined;
  const hasMessages = !isEmpty.value && !refusal;
  const isOffline = sync.connection.value.kind === "unreached";
  const key = narrowKey(terms);
  const [stream_id, topic] = topicOf(terms);
  const nearId = terms.find(({ operator }) => operator === "near")?.operand ?? "";

  // A layout effect runs before the first frame, so that known messages are displayed in that
  // frame.
  useLayoutEffect(() => {
    let announcer: ReturnType<typeof announcing> | undefined;
    const announce = (messages: readonly Message[]) => {
      announcer ??= announcing(announcement);
      void announcer.then((announce) => announce(messages));
    };
    const status = { loadError, isEmpty, announce, removeControls };
    const openView = new OpenView(terms, scroller.current!, column.current!, status);
    return () => openView.close();
  }, [key, nearId]);

  return (
    <div class="messages">
      {topic !== undefined && hasMessages && <TopicNote stream_id={stream_id} topic={topic} />}
      {hasMessages && <Hint />}
      <ManyUnreadBanner key={key} terms={terms} />
      <div
        class="feed scroll"
        role="region"
        aria-label={t("messages")}
        ref={scroller}
        tabIndex={-1}
        // Search results are read from the top.
        data-top={isContiguous(terms) ? undefined : ""}
        onClick={handleClick}
        onKeyDown={(event) => runActionByKey(event, messageOf)}
      >
        <div class="col" ref={column} />
        {isOffline && <p class="feed-note not-cached">{t("view-not-cached")}</p>}
        {loadError.value === "failed" && (
          <p class="feed-note" role="alert">
            {t("load-failed")}
          </p>
        )}
        {(refusal || (isEmpty.value && !loadError.value)) && (
          <Empty terms={terms} refusal={refusal} />
        )}
      </div>
      <p class="vh" role="status">
        {announcement.value}
      </p>
    </div>
  );
}

/** The topic whose messages the view shows. */
function topicOf(terms: readonly NarrowTerm[]): [stream_id: number, topic: string | undefined] {
  const conversation = conversationOf(terms, -1);
  return conversation && "topic" in conversation
    ? [conversation.stream_id, conversation.topic]
    : [0, undefined];
}

const announcing = async (announcement: Signal<string>) =>
  (await importOrReload(() => import("./announcing/arrivals.ts"))).announcerOf(announcement);

/** With Ctrl or the middle button, a link opens in a new tab. */
function handleClick(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.button !== 0) return;
  if (!runAction(event, messageOf)) void loadFeedParts().then(() => runAction(event, messageOf));
}
