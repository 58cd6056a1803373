// The composer: where one writes to the conversation that is open, selected or chosen.
import { useComputed, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { commandOf } from "../../commands.ts";
import { narrowKey } from "../../feed/narrow.ts";
import { keyName } from "../../key-names.ts";
import { keyed, now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { setColor } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { barOf } from "../conversation/drawing.ts";
import { AimLine } from "../target/aim.tsx";
import { came, goBack, wrote } from "./back.ts";
import { isSaved, shelf, typing } from "./desk.ts";
import { doesEnterSend, Editor } from "../editor/editor.tsx";
import type { EditorHandle } from "../editor/handle.ts";
import { DropHere, takeDrops } from "../uploads/drops.tsx";
import { UploadList } from "../uploads/files.tsx";
import { openLater } from "./later.tsx";
import { NoticeList } from "./notice-list.tsx";
import { noticesOf } from "./notices.ts";
import { Preview } from "./preview.tsx";
import { reasonAgainst } from "../target/reasons.ts";
import { aim, closed, opened, placeOfAim } from "./session.ts";
import { TargetLine } from "../target/target.tsx";
import { VoiceLine } from "../voice/view.tsx";
import { placeKey } from "../target/places.ts";
import { openTexts } from "../uploads/texts.ts";
import { isHeld } from "../uploads/waits.ts";
import { Writing } from "./writing.ts";

interface Composing {
  terms: readonly NarrowTerm[] | undefined;
  /** The place of the view or of its selected message. */
  bound: Place | undefined;
}

export function OpenComposer({ terms, bound }: Composing) {
  keyed("channels", "users", "settings", "realm", "groups");
  const [writing] = useState(() => new Writing());
  const form = useRef<HTMLFormElement>(null);
  const aimed = aim.value;
  const place = aimed ? placeOfAim(aimed) : bound;
  const reason = place && reasonAgainst(place, now());
  // Whether one may post the server says: what is known here may be old. A topic one has to name.
  const isIncomplete = !place || (reason !== undefined && !reason.isFinal);
  const color = place && barOf(place).color;
  const view = terms ? narrowKey(terms) : "";
  const onEditor = useWriting(writing, view, place, isIncomplete);
  useLayoutEffect(() => setColor(form.current, color ?? "currentcolor"), [color]);
  const notices = useComputed(() => noticesOf(writing.text.value, place, now()));
  return (
    <form
      class="compose"
      aria-label={say("write-message")}
      data-c=""
      data-preview={writing.isPreviewing.value ? "" : undefined}
      ref={form}
      onFocusIn={came}
      onInput={wrote}
      onKeyDown={goBack}
      onSubmit={(event) => {
        event.preventDefault();
        void writing.submit();
      }}
    >
      <Editor
        label={place ? say("write-to", { name: barOf(place).title }) : say("write-message")}
        place={place}
        onEditor={onEditor}
        onText={(words) => writing.typed(words)}
        onSubmit={() => void writing.submit()}
        onFiles={(files) => writing.attach(files)}
        onLongText={(words) => writing.offerFile(words)}
        onKey={(key) => pressed(key, writing)}
        end={<End writing={writing} place={place} isDisabled={isIncomplete} />}
        endItems={(beside) => (isIncomplete ? [] : [laterItem(beside, writing)])}
      >
        {aimed && (
          <AimLine
            aimed={aimed}
            onDone={() => writing.focus()}
            onLeave={() => (aim.value = undefined)}
          />
        )}
        {!aimed && place && <TargetLine place={place} />}
        <DropHere />
        <UploadList />
        <VoiceLine />
        <NoticeList notices={notices.value} place={place} reason={reason} />
        {writing.isPreviewing.value && (
          <Preview text={writing.text.value} isShown={writing.isPreviewing} />
        )}
      </Editor>
    </form>
  );
}

/** Says whether the press was for one of these. */
function pressed(key: string, writing: Writing): boolean {
  if (key === "Alt+P") writing.isPreviewing.value = !writing.isPreviewing.value;
  // While the composer is empty, the cursor is in its first line.
  else if (key === "ArrowUp" && writing.text.value === "") {
    return commandOf("edit-last")?.run() === true;
  } else return false;
  return true;
}

/** Brings drafts and the target of now to what is written; gives what takes its editor. */
function useWriting(
  writing: Writing,
  view: string,
  place: Place | undefined,
  isIncomplete: boolean,
): (editor: EditorHandle | undefined) => void {
  const end = useRef<(() => void) | undefined>(undefined);
  useSignalEffect(() => {
    if (shelf.value) writing.furnish(shelf.value);
  });
  useSignalEffect(() => {
    keyed("drafts");
    writing.refresh();
  });
  useLayoutEffect(
    () => writing.turn(view, place, isIncomplete),
    [view, JSON.stringify(place), isIncomplete],
  );
  // Registered after the editor's own effects.
  return (editor) => {
    end.current?.();
    writing.editor = editor;
    if (editor && shelf.peek()) writing.furnish(shelf.peek()!);
    end.current = editor && live(writing);
  };
}

/** While it is in the page, others find it, and files may be dropped anywhere. */
function live(writing: Writing): () => void {
  opened(writing);
  const placedIn = (placeholder: string, words: string) => writing.placed(placeholder, words);
  openTexts.add(placedIn);
  const end = takeDrops(undefined, (files) => writing.attach(files));
  return () => {
    end();
    closed(writing);
    openTexts.delete(placedIn);
    typing.stop();
  };
}

const laterItem = (beside: Element, writing: Writing): MenuItem => ({
  icon: "clock",
  label: say("send-later"),
  run: () => sendLater(beside, writing),
});

function sendLater(beside: Element, writing: Writing): void {
  openLater(beside, (at) => void writing.submit(at));
}

interface Ending {
  writing: Writing;
  place: Place | undefined;
  isDisabled: boolean;
}

function End({ writing, place, isDisabled }: Ending) {
  const { text, isPreviewing } = writing;
  const isWaiting = place !== undefined && isHeld(placeKey(place));
  const hasText = text.value.trim() !== "";
  const saved = hasText && isSaved.value === true ? say("draft-saved") : undefined;
  const state = isWaiting ? say("sends-after-upload") : saved;
  return (
    <>
      <span role="status" data-waiting={isWaiting ? "" : undefined}>
        {state}
      </span>
      {!hasText && (
        <span>
          <kbd>{keyName(doesEnterSend() ? "Enter" : "Mod+Enter")}</kbd> {say("sends")}
        </span>
      )}
      {(hasText || isPreviewing.value) && (
        <button
          type="button"
          class="compose-peek"
          // Behind what sends, whenever it comes.
          tabIndex={-1}
          aria-pressed={isPreviewing.value}
          title={keyName("Alt+P")}
          onClick={() => (isPreviewing.value = !isPreviewing.value)}
        >
          {say("preview")}
        </button>
      )}
      <span class="send">
        <Button kind="primary" type="submit" disabled={isDisabled}>
          {say("send")}
        </Button>
        <button
          type="button"
          class="btn"
          data-kind="primary"
          aria-label={say("send-later")}
          aria-haspopup="menu"
          disabled={isDisabled}
          onClick={({ currentTarget }) => sendLater(currentTarget, writing)}
        >
          <Icon name="down" size={16} />
        </button>
      </span>
    </>
  );
}
