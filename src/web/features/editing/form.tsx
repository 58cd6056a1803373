// The form that edits a message in its row: the composer's editor with Save and Cancel.
import { useEffect, useRef } from "preact/hooks";
import { placeOfMessage } from "../../feed/items.ts";
import { keyName } from "../../key-names.ts";
import { keyed, known } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { shelf } from "../compose/desk.ts";
import { NoticeList } from "../compose/notice-list.tsx";
import { noticesOf } from "../compose/notices.ts";
import { Preview } from "../compose/preview.tsx";
import { Editor } from "../editor/editor.tsx";
import { putBlock } from "../editor/edits.ts";
import { savableUntil } from "../messages/permits.ts";
import { DropHere, takeDrops } from "../uploads/drops.tsx";
import type { Edit } from "./edit.ts";

interface Editing {
  edit: Edit;
  /** The user has just opened it. */
  hasFocus?: boolean;
  onCancel: () => void;
}

export function EditForm({ edit, hasFocus, onCancel }: Editing) {
  const { message_id, isPreviewing } = edit;
  keyed(`message:${message_id}`, "channels", "users", "settings", "realm", "groups");
  const form = useRef<HTMLFormElement>(null);
  const state = known();
  const message = state?.messages.byId.get(message_id);
  const place = message && placeOfMessage(message, state!.people.me);
  const text = edit.text.value;
  useEffect(() => takeDrops(form.current!, (files) => attach(edit, files)), [edit]);
  return (
    <form
      class="edit-box"
      aria-label={say("edit-text")}
      data-preview={isPreviewing.value ? "" : undefined}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        edit.save();
      }}
      // From its buttons too.
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      <Editor
        label={say("edit-text")}
        place={place}
        text={edit.text.peek()}
        onEditor={(editor) => {
          edit.editor = editor;
          if (hasFocus) editor?.node.focus();
        }}
        onText={(words) => edit.typed(words)}
        onSubmit={() => edit.save()}
        onFiles={(files) => attach(edit, files)}
        onKey={(key) => pressed(key, edit, onCancel)}
        end={<End edit={edit} onCancel={onCancel} />}
      >
        {state && (
          <NoticeList notices={noticesOf(text, place, state)} place={place} reason={undefined} />
        )}
        <Told edit={edit} />
        <DropHere form={form} />
        {isPreviewing.value && <Preview text={text} isShown={isPreviewing} />}
      </Editor>
    </form>
  );
}

/** Says whether the press was for one of these. */
function pressed(key: string, edit: Edit, cancel: () => void): boolean {
  if (key === "Alt+P") edit.isPreviewing.value = !edit.isPreviewing.value;
  else if (key === "Escape") cancel();
  else return false;
  return true;
}

function attach({ editor }: Edit, files: readonly File[]): void {
  const uploads = shelf.peek()?.uploads;
  if (!uploads || !editor) return;
  const held = uploads.add(files);
  if (held !== "") editor.apply(putBlock(editor.written(), held));
}

/** How long there is to save it, or that it waits for files. */
function Told({ edit }: { edit: Edit }) {
  const state = known();
  const message = state?.messages.byId.get(edit.message_id);
  const until = message && savableUntil(state!, message);
  if (edit.isUploading.value) {
    return (
      <p class="edit-told" data-kind="waiting" role="status">
        <Icon name="clip" size={16} />
        <span>{say("edit-uploading")}</span>
      </p>
    );
  }
  if (until === undefined) return null;
  return (
    <p class="edit-told">
      <Icon name="timer" size={16} />
      <Countdown until={until} over={say("edit-over")} />
    </p>
  );
}

function End({ edit, onCancel }: Editing) {
  const { isPreviewing } = edit;
  return (
    <>
      <button
        type="button"
        class="compose-peek"
        aria-pressed={isPreviewing.value}
        title={keyName("Alt+P")}
        onClick={() => (isPreviewing.value = !isPreviewing.value)}
      >
        {say("preview")}
      </button>
      <span class="edit-acts">
        <Button kind="quiet" onClick={onCancel}>
          {say("cancel")}
        </Button>
        <Button kind="primary" type="submit">
          {say("save")}
        </Button>
      </span>
    </>
  );
}
