// A note that a change was saved, with a button that undoes it if possible.
import { t } from "../../words/words.ts";
import type { Saving } from "../saving.ts";

export function SavedNote({ undo }: { undo: (() => void) | undefined }) {
  return (
    <span class="settings-saved" role="status">
      {t("settings-saved")}
      {undo && " "}
      {undo && (
        <button type="button" onClick={undo}>
          {t("undo")}
        </button>
      )}
    </span>
  );
}

/** The note of one part of a page, if it was saved last. */
export function SavedPart({ saving, part }: { saving: Saving; part: string }) {
  const { saved } = saving;
  return saved.value?.part === part ? <SavedNote undo={saved.value.undo} /> : null;
}
