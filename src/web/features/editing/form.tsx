// The form that edits a message in its row: the composer's editor with Save and Cancel.
import { useEffect, useRef } from "preact/hooks";
import { conversationOfMessage } from "../../feed/items.ts";
import { keyName } from "../../ui/keys/key-names.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { stores } from "../compose/stores-sync.ts";
import { NoticeList } from "../compose/notice-list.tsx";
import { noticesOf } from "../compose/notices.ts";
import { Preview } from "../compose/preview.tsx";
import { Editor } from "../editor/editor.tsx";
import { savableUntil } from "../messages/permissions.ts";
import { DropHere, acceptDrops } from "../uploads/drops.tsx";
import { Attachments } from "../uploads/files.tsx";
import type { MessageEdit } from "./edit.ts";

interface EditFormProps {
  edit: MessageEdit;
  /** The user has just opened it. */
  hasFocus?: boolean;
  onCancel: () => void;
}

export function EditForm({ edit, hasFocus, onCancel }: EditFormProps) {
  const { message_id, isPreviewing } = edit;
  subscribe(`message:${message_id}`, "channels", "users", "settings", "realm", "groups");
  const form = useRef<HTMLFormElement>(null);
  const state = getState();
  const message = state.messages.byId.get(message_id);
  const conversation = message && conversationOfMessage(message, state.people.me);
  // When the page starts, the message may not be loaded yet.
  useEffect(() => void (edit.conversation ??= conversation), [conversation === undefined]);
  const text = edit.text.value;
  useEffect(
    () => (form.current ? acceptDrops(form.current, (files) => attach(edit, files)) : undefined),
    [edit],
  );
  return (
    <form
      class="edit-box"
      aria-label={t("edit-text")}
      data-preview={isPreviewing.value ? "" : undefined}
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        edit.save();
      }}
      // Escape cancels the edit even if a button of the form has the focus.
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onCancel();
      }}
    >
      <Editor
        label={t("edit-text")}
        conversation={conversation}
        text={edit.attached.currentText}
        onEditor={(editor) => {
          connect(edit, editor);
          if (hasFocus) editor?.node.focus();
        }}
        onText={() => edit.onInput()}
        onSubmit={() => edit.save()}
        onFiles={(files) => attach(edit, files)}
        onKey={(key) => handleKey(key, edit, onCancel)}
        end={<End edit={edit} onCancel={onCancel} />}
      >
        <NoticeList
          notices={noticesOf(text, conversation, state)}
          conversation={conversation}
          reason={undefined}
        />
        <EditStatus edit={edit} />
        <DropHere form={form} />
        {isPreviewing.value && <Preview text={text} isShown={isPreviewing} />}
        <Attachments text={edit.attached} owner={edit.owner} />
      </Editor>
    </form>
  );
}

function connect(edit: MessageEdit, editor: MessageEdit["editor"]): void {
  const { currentText: displayedText } = edit.attached;
  edit.editor = editor;
  // Text may have been entered before.
  if (editor && editor.node.value !== displayedText) edit.onInput();
}

/** Returns whether it handled the key. */
function handleKey(key: string, edit: MessageEdit, cancel: () => void): boolean {
  if (key === "Alt+P") edit.isPreviewing.value = !edit.isPreviewing.value;
  else if (key === "Escape") cancel();
  else return false;
  return true;
}

function attach({ attached, owner }: MessageEdit, files: readonly File[]): void {
  attached.add(stores.peek()?.uploads.add(files, owner) ?? []);
}

/** Shows the remaining time for saving, or that uploads are in progress. */
function EditStatus({ edit }: { edit: MessageEdit }) {
  const state = getState();
  const message = state.messages.byId.get(edit.message_id);
  const until = message && savableUntil(state, message);
  if (edit.isUploading.value) {
    return (
      <p class="edit-status" data-kind="waiting" role="status">
        <Icon name="clip" size={16} />
        <span>{t("edit-uploading")}</span>
      </p>
    );
  }
  if (until === undefined) return null;
  return (
    <p class="edit-status">
      <Icon name="timer" size={16} />
      <Countdown until={until} overText={t("edit-time-passed")} />
    </p>
  );
}

function End({ edit, onCancel }: EditFormProps) {
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
        {t("preview")}
      </button>
      <span class="edit-acts">
        <Button kind="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button kind="primary" type="submit">
          {t("save")}
        </Button>
      </span>
    </>
  );
}
