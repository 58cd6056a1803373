// How a row of settings stands: its name with what is said beside it, why, and its control.
import type { ComponentChildren } from "preact";
import { say, type Word } from "../../words/words.ts";

interface Framed {
  id: string;
  words: Word;
  hint?: Word | undefined;
  beside?: ComponentChildren;
  /** What stands below the hint. */
  more?: ComponentChildren;
  /** The control takes a line of its own. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function SettingFrame({ id, words, hint, beside, more, isWide, children }: Framed) {
  return (
    <div class="settings-row" data-wide={isWide ? "" : undefined}>
      <span>
        <label for={id}>{say(words)}</label>
        {beside}
      </span>
      {hint && <p id={`${id}-hint`}>{say(hint)}</p>}
      {more}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

/** That something was saved, with the way back. */
export function SavedNote({ undo }: { undo: () => void }) {
  return (
    <span class="settings-saved" role="status">
      {say("settings-saved")}{" "}
      <button type="button" onClick={undo}>
        {say("undo")}
      </button>
    </span>
  );
}
