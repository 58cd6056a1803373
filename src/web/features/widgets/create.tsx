// The dialog for a poll or to-do list, which starts with the typed text.
import { useSignal } from "@preact/signals";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SignalField } from "../../ui/form/signal-field.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { t } from "../../words/words.ts";
import type { EditorHandle } from "../editor/edit-rules.ts";

export type WidgetKind = "poll" | "todo";

const ID = "make-widget";
const ROWS = 5;
const WORDS = {
  poll: { title: "poll", head: "poll-question-text", entries: "poll-entries" },
  todo: { title: "todo-list", head: "title", entries: "todo-entries" },
} as const;

/** The command must start the message, so it replaces the whole text. */
export function openWidgetDialog(kind: WidgetKind, editor: EditorHandle): void {
  const { text } = editor.content();
  const [question = "", ...entries] = text.trim().split("\n");
  const put = (text: string) => {
    const index = text.length;
    editor.apply({
      start: 0,
      end: editor.content().text.length,
      replacement: text,
      select: [index, index],
    });
    editor.node.focus();
  };
  const initialQuestion = question.replace(/^\/(?:poll|todo)(?!\S) ?/, "");
  openLayer(
    ID,
    <WidgetForm kind={kind} question={initialQuestion} entries={entries.join("\n")} put={put} />,
  );
}

interface MakeProps {
  kind: WidgetKind;
  question: string;
  entries: string;
  put: (text: string) => void;
}

function WidgetForm({ kind, put, ...begun }: MakeProps) {
  const question = useSignal(begun.question);
  const entries = useSignal(begun.entries);
  const words = WORDS[kind];
  const isReady = `${question.value}${entries.value}`.trim() !== "";
  const submit = () => {
    if (!isReady) return;
    closeLayer(ID);
    const lines = entries.value.split("\n").filter((line) => line.trim() !== "");
    const command = [`/${kind} ${question.value.trim()}`.trim(), ...lines].join("\n");
    // The dialog returns the focus before the command is inserted.
    queueMicrotask(() => put(command));
  };
  return (
    <Dialog
      id={ID}
      title={t(words.title)}
      onSubmit={submit}
      foot={
        <Button kind="primary" type="submit" disabled={!isReady}>
          {t("insert")}
        </Button>
      }
    >
      <div class="form">
        <SignalField label={t(words.head)} text={question} />
        <SignalField label={t(words.entries)} text={entries} rows={ROWS} />
      </div>
    </Dialog>
  );
}
