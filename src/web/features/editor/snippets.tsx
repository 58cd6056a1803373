// Saved snippets: texts for reuse, inserted at the caret.
import { type Signal, useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { SNIPPET_TITLE_LENGTH_MAX } from "../../../features/snippets/rules.ts";
import { addSnippet } from "../../api/message-calls.ts";
import { dropSnippet, editSnippet } from "../../api/manage-calls.ts";
import { ApiError } from "../../contract/api-error.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { type Box, boxOf } from "../../ui/anchor-box.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FieldError } from "../../ui/form/text-field.tsx";
import { SignalField } from "../../ui/form/signal-field.tsx";
import { closeLayer, openLayer, useCloseLayer } from "../../ui/layers.ts";
import { openMenu } from "../../ui/menu.tsx";
import { useSaving } from "../../ui/saving.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { type EditorHandle, replaceSelection } from "./edit-rules.ts";
import type { Snippet } from "../personal/state.ts";

export function openSnippets(anchor: Element, editor: EditorHandle): void {
  const box = boxOf(anchor);
  const all = [...getState().personal.snippets.values()];
  all.sort((a, b) => a.title.localeCompare(b.title));
  const text = editor.content().text.trim();
  const items = all.map(({ title, content }) => ({
    label: title,
    run: () => queueMicrotask(() => editor.apply(replaceSelection(editor.content(), content))),
  }));
  const make = {
    icon: "plus" as const,
    label: t("new-snippet"),
    asks: true,
    run: () => openForm({ title: "", content: text }),
  };
  const change = {
    icon: "edit" as const,
    label: t("change-snippets"),
    asks: true,
    run: () => openEditMenu(box, all),
  };
  const menuItems = items.length === 0 ? [make] : [...items, undefined, make, change];
  openMenu(box, t("snippets"), menuItems);
}

/** Changes one snippet. Its form can also delete it. */
function openEditMenu(box: Box, all: readonly Snippet[]): void {
  const items = all.map((snippet) => ({ label: snippet.title, run: () => openForm(snippet) }));
  openMenu(box, t("change-snippets"), items);
}

type SnippetDraft = Pick<Snippet, "title" | "content"> & Partial<Pick<Snippet, "id">>;

const openForm = (wording: SnippetDraft) => openLayer("snippet", <SnippetForm wording={wording} />);

async function showingRefusal(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    showToast({ text: error instanceof ApiError ? error.text : t("save-failed"), isAlert: true });
    return false;
  }
}

function showDeleted({ title, content }: SnippetDraft): void {
  const undo = () => void showingRefusal(() => addSnippet(sync, { title, content }));
  showToast({ text: t("snippet-deleted"), undo });
}

interface Fields {
  title: Signal<string>;
  content: Signal<string>;
}

/** Changes from other devices are applied to fields that are not edited here. */
function useChangedElsewhere(initial: SnippetDraft, fields: Fields) {
  subscribe("saved_snippets");
  const current = getState().personal.snippets.get(initial.id ?? 0);
  const before = useRef(initial);
  const isClash = useSignal(false);
  useLayoutEffect(() => {
    if (!current) return;
    for (const name of ["title", "content"] as const) {
      const [field, was, currentText] = [fields[name], before.current[name], current[name]];
      if (field.value === was) field.value = currentText;
      else if (currentText !== was && field.value.trim() !== currentText) isClash.value = true;
    }
    before.current = current;
  }, [current]);
  const isGone = initial.id !== undefined && !current;
  const conflict = isGone ? "snippet-gone" : isClash.value ? "snippet-changed" : undefined;
  return { there: current, conflict: conflict && t(conflict) };
}

function SnippetForm({ wording }: { wording: SnippetDraft }) {
  const title = useSignal(wording.title);
  const content = useSignal(wording.content);
  const saving = useSaving();
  const { there, conflict } = useChangedElsewhere(wording, { title, content });
  const id = there?.id;
  const isReady = title.value.trim() !== "" && content.value.trim() !== "";
  const close = useCloseLayer("snippet");
  const save = async () => {
    if (!isReady) return;
    const now = { title: title.value.trim(), content: content.value };
    const isSaved = await saving.save("snippet", () =>
      id === undefined
        ? addSnippet(sync, now)
        : editSnippet(sync, { saved_snippet_id: id, ...now }),
    );
    if (isSaved) close();
  };
  const drop = async (snippet: Snippet) => {
    const { id: saved_snippet_id } = snippet;
    const isGone = await saving.save("snippet", () => dropSnippet(sync, { saved_snippet_id }));
    if (!isGone) return;
    close();
    showDeleted(snippet);
  };
  return (
    <Dialog
      id="snippet"
      title={t(id === undefined ? "new-snippet" : "change-snippet")}
      onSubmit={() => void save()}
      foot={
        <>
          {there && (
            <Button kind="danger" onClick={() => void drop(there)}>
              {t("delete-message")}
            </Button>
          )}
          <Button onClick={() => closeLayer("snippet")}>{t("cancel")}</Button>
          <Button
            kind="primary"
            type="submit"
            disabled={!isReady || saving.busy.value !== undefined}
          >
            {t("save")}
          </Button>
        </>
      }
    >
      <div class="form">
        <SignalField label={t("title")} text={title} maxLength={SNIPPET_TITLE_LENGTH_MAX} />
        <SignalField label={t("text")} text={content} rows={4} />
        <FieldError
          text={saving.busy.value ? undefined : (saving.errors.value["snippet"] ?? conflict)}
        />
      </div>
    </Dialog>
  );
}
