// A note that a change was saved, with a button that undoes it if possible.
import { t } from "../../words/words.ts";
import type { Saving } from "../saving.ts";

interface SavedNoteProps {
  undo: (() => void) | undefined;
  /** There is no network to send the change. */
  isWaiting?: boolean | undefined;
}

export function SavedNote({ undo, isWaiting }: SavedNoteProps) {
  return (
    <span class="settings-saved" role="status">
      {t(isWaiting ? "settings-saved-later" : "settings-saved")}
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
