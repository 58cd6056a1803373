// Snippets: texts that one writes again and again, put in where the caret is.
import { useSignal } from "@preact/signals";
import { addSnippet } from "../../api/calls.ts";
import { Refused } from "../../api/http.ts";
import { sync } from "../../here.ts";
import { now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { put } from "../editor/edits.ts";
import type { EditorHandle } from "../editor/handle.ts";

export function openSnippets(beside: Element, editor: EditorHandle): void {
  const all = [...now().personal.snippets.values()];
  all.sort((a, b) => a.title.localeCompare(b.title));
  const text = editor.written().text.trim();
  const items = all.map(({ title, content }) => ({
    label: title,
    run: () => queueMicrotask(() => editor.apply(put(editor.written(), content))),
  }));
  const make = {
    icon: "plus" as const,
    label: say("new-snippet"),
    run: () => openLayer("snippet", <NewSnippet text={text} />),
  };
  openMenu(beside, say("snippets"), items.length === 0 ? [make] : [...items, undefined, make]);
}

function NewSnippet({ text }: { text: string }) {
  const title = useSignal("");
  const content = useSignal(text);
  const isReady = title.value.trim() !== "" && content.value.trim() !== "";
  const save = async () => {
    if (!isReady) return;
    try {
      await addSnippet(sync, { title: title.value.trim(), content: content.value });
      closeLayer("snippet");
    } catch (error) {
      const words = error instanceof Refused ? error.words : say("not-saved");
      showToast({ words, isAlert: true });
    }
  };
  return (
    <Dialog
      id="snippet"
      title={say("new-snippet")}
      onSubmit={() => void save()}
      foot={
        <>
          <Button onClick={() => closeLayer("snippet")}>{say("cancel")}</Button>
          <Button kind="primary" type="submit" disabled={!isReady}>
            {say("save")}
          </Button>
        </>
      }
    >
      <div class="form">
        <label>
          <span class="label">{say("title")}</span>
          <span class="field">
            <input value={title.value} onInput={(e) => (title.value = e.currentTarget.value)} />
          </span>
        </label>
        <label>
          <span class="label">{say("text")}</span>
          <span class="field">
            <textarea
              rows={4}
              value={content.value}
              onInput={(e) => (content.value = e.currentTarget.value)}
            />
          </span>
        </label>
      </div>
    </Dialog>
  );
}
