// Opens the dialogs of a topic's note, as placeholders until their script and the note have loaded.
import type { TopicRef } from "../../sync/mutations/reconcile.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";

const open = lazyDialog(() => import("./dialogs.tsx"));

export const openNoteEditor = (note: TopicRef): Promise<void> =>
  open(
    "topic-note-editor",
    () => t("topic-note-of", { topic: topicName(note.topic) }),
    ({ showNoteEditor }) => showNoteEditor(note),
  );

export const openNoteHistory = (note: TopicRef): Promise<void> =>
  open(
    "topic-note-history",
    () => t("topic-note-history"),
    ({ showNoteHistory }) => showNoteHistory(note),
  );
