// The note of a topic above its messages.
import { useSignal } from "@preact/signals";
import { fetchNote, type TopicNoteResponse } from "../../api/channel-extras-calls.ts";
import { topicKey } from "../../conversation-keys.ts";
import type { TopicRef } from "../../sync/mutations/reconcile.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState, revisionOf } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { useRequest } from "../../ui/loading/use-request.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { Content } from "../page/content.tsx";
import { personOf } from "../people/state.ts";
import { isNoteClosed, rememberClosed } from "./closed-state.ts";
import { openNoteEditor, openNoteHistory } from "./open-dialogs.ts";
import { canWriteNote } from "./permissions.ts";

export function TopicNote({ stream_id, topic }: TopicRef) {
  subscribe("users", "channels");
  const toggled = useSignal(0);
  const fetchedNote = useNote({ stream_id, topic });
  void toggled.value;
  if (!fetchedNote?.note) return null;
  const { rendered_content, updated_by, updated_at, version } = fetchedNote.note;
  const name = personOf(getState().people, updated_by)?.full_name ?? t("unknown-user");
  return (
    <details
      key={topicKey(stream_id, topic)}
      class="topic-note"
      open={!isNoteClosed({ stream_id, topic }, version)}
      onToggle={({ currentTarget }) => {
        rememberClosed({ stream_id, topic }, version, !currentTarget.open);
        // The rendered state must follow, or a later change would not open the note.
        toggled.value++;
      }}
    >
      <summary>{t("topic-note-by", { name, when: formatMoment(updated_at) })}</summary>
      <Content html={rendered_content} />
      {canWriteNote(stream_id) && (
        <Button kind="quiet" onClick={() => void openNoteEditor({ stream_id, topic })}>
          {t("topic-note-edit")}
        </Button>
      )}
      <Button kind="quiet" onClick={() => void openNoteHistory({ stream_id, topic })}>
        {t("topic-note-history")}
      </Button>
    </details>
  );
}

/** Kept up to date while it is displayed. undefined without a response, as after losing access. */
function useNote({ stream_id, topic }: TopicRef): TopicNoteResponse | undefined {
  subscribe(`channel:${stream_id}`);
  const isVisible = getState().channels.channels.has(stream_id);
  // Spectators receive no notes, and channels that the user cannot see have none.
  const isRequested = sync.connection.peek().kind !== "visiting" && isVisible;
  return useRequest(
    isRequested ? topicKey(stream_id, topic) : undefined,
    (signal) => fetchNote(sync, { stream_id, topic }, { signal }),
    revisionOf(`notes:${stream_id}`),
  );
}
