// Dialogs of a topic note: the editor and the history.
import { useSignal } from "@preact/signals";
import { htmlDiff } from "../../../text/word-diff.ts";
import { contentOf, whenRenderer } from "../../render/loading.ts";
import { renderContext } from "../../store/render-context.ts";
import { subscribe, getState } from "../../store/store.ts";
import {
  fetchNote,
  fetchNoteHistory,
  type NoteVersion,
  saveNote,
} from "../../api/channel-extras-calls.ts";
import type { TopicRef } from "../../sync/mutations/reconcile.ts";
import { sync } from "../../sync/session.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { SignalField } from "../../ui/form/signal-field.tsx";
import { replacerOf, useCloseLayer } from "../../ui/layers.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { Content } from "../page/content.tsx";
import { topicName } from "../conversation/selectors.ts";
import { personOf } from "../people/state.ts";
import { useSending } from "../../ui/form/form.tsx";
import { canWriteNote } from "./permissions.ts";

const EDITOR = "topic-note-editor";
const HISTORY = "topic-note-history";

export async function showNoteEditor(topic: TopicRef): Promise<void> {
  const replace = replacerOf(EDITOR);
  try {
    const { note, version } = await fetchNote(sync, topic);
    const content = note?.content ?? "";
    replace(<Editor topic={topic} content={content} version={version} />);
  } catch (error) {
    showRefusal(error);
  }
}

/** The rendered version, with the changed words marked, as in the edit history of a message. */
function comparedHtml(content: string, before: string | undefined): string {
  const context = renderContext(getState());
  const { html } = contentOf(content, context);
  return before === undefined ? html : htmlDiff(contentOf(before, context).html, html);
}

interface EditedNote {
  topic: TopicRef;
  content: string;
  version: number;
}

function Editor({ topic, content, version }: EditedNote) {
  subscribe("channels", "groups");
  const text = useSignal(content);
  const { refusal, isBusy, send } = useSending();
  const close = useCloseLayer(EDITOR);
  const save = async () => {
    const params = { ...topic, content: text.value, version };
    if (await send(() => saveNote(sync, params))) close();
  };
  return (
    <Dialog
      id={EDITOR}
      isAllowed={canWriteNote(topic.stream_id)}
      title={t("topic-note-of", { topic: topicName(topic.topic) })}
      onSubmit={() => void save()}
      foot={
        <SubmitFoot id={EDITOR} isDisabled={isBusy.value}>
          {t("save")}
        </SubmitFoot>
      }
    >
      <SignalField label={t("topic-note-text")} text={text} error={refusal.value} rows={8} />
      <p class="hint">{t("topic-note-hint")}</p>
    </Dialog>
  );
}

export async function showNoteHistory(topic: TopicRef): Promise<void> {
  const replace = replacerOf(HISTORY);
  try {
    const [{ versions }] = await Promise.all([fetchNoteHistory(sync, topic), whenRenderer()]);
    replace(<History versions={versions} />);
  } catch (error) {
    showRefusal(error);
  }
}

function History({ versions }: { versions: readonly NoteVersion[] }) {
  const { people } = getState();
  return (
    <Dialog id={HISTORY} title={t("topic-note-history")}>
      <ol class="messages-versions">
        {versions.map(({ version, content, updated_by, updated_at }, index) => (
          <li key={version}>
            <p class="messages-by">
              <bdi>{personOf(people, updated_by)?.full_name ?? t("unknown-user")}</bdi>{" "}
              <time>{formatMoment(updated_at)}</time>
            </p>
            {content === "" ? (
              <p class="note-text">{t("topic-note-removed")}</p>
            ) : (
              <Content html={comparedHtml(content, versions[index + 1]?.content)} />
            )}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
