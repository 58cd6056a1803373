// The Markdown editor: a text area with tools, suggestions and paste handling.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isMac } from "../../ui/keys/commands.ts";
import { nameOfPress } from "../../ui/keys/keys.ts";
import { getState } from "../../store/store.ts";
import { loadRenderer } from "../../render/loading.ts";
import type { MenuItems } from "../../ui/menu.tsx";
import type { ConversationRef } from "../../views.ts";
import { t } from "../../words/words.ts";
import { openSnippets } from "./snippets.tsx";
import { type EditorHandle, continueList, replaceSelection, toggleMark } from "./edit-rules.ts";
import { growToText } from "../../ui/form/text-area.ts";
import { withLink } from "./link.ts";
import { EditorSuggestions } from "./suggestions.ts";
import { languageOf, pasted, TEXT_BYTES_MAX } from "./paste.ts";
import { SuggestionList } from "../typeahead/suggestions.tsx";
import { Tools } from "./tools.tsx";

interface EditorProps {
  label: string;
  placeholder?: string;
  /** Id of the element that describes the keys. */
  hintId?: string;
  /** Suggests users of this conversation first. */
  conversation: ConversationRef | undefined;
  text?: string;
  /** Called with the editor when it is ready, and with undefined when it is removed. */
  onEditor: (editor: EditorHandle | undefined) => void;
  onText: (text: string) => void;
  onSubmit: () => void;
  onFiles?: (files: readonly File[]) => void;
  /** Called for a long text that could be attached as a file. */
  onLongText?: (text: string) => void;
  /** Handles keys of the surrounding form; returns whether it handled the key. */
  onKey?: (name: string) => boolean;
  /** Buttons after the tools, such as Send. */
  end: ComponentChildren;
  /** Items that a phone shows in a menu. */
  endItems?: ((anchor: Element) => MenuItems) | undefined;
  children?: ComponentChildren;
}

export function Editor(props: EditorProps) {
  const { label, placeholder, conversation, onEditor, onText, onFiles, end, children } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [proposals] = useState(() => new EditorSuggestions(() => area.current!));
  const listId = useId();
  // A layout effect, so that a text that is entered before the next frame is not replaced.
  useLayoutEffect(() => {
    if (props.text && area.current) area.current.value = props.text;
  }, []);
  useEffect(() => {
    onEditor(proposals);
    return () => onEditor(undefined);
  }, []);
  proposals.conversation = conversation;
  const current = proposals.shown.value;
  return (
    <>
      {current && (
        <SuggestionList
          id={listId}
          label={t(LABELS[current.trigger.kind])}
          {...current}
          onChoose={(suggestion) => proposals.choose(suggestion)}
          onLeave={() => proposals.handleKey("Escape")}
          onPoint={(active) => (proposals.shown.value = { ...current, active })}
        />
      )}
      {children}
      <textarea
        ref={area}
        aria-label={label}
        aria-describedby={props.hintId}
        // Label of the Enter key on phones.
        enterkeyhint={doesEnterSend() ? "send" : "enter"}
        placeholder={placeholder ?? label}
        rows={2}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={current ? listId : undefined}
        aria-activedescendant={current ? `${listId}-${current.active}` : undefined}
        onFocus={loadRenderer}
        onBlur={() => queueMicrotask(() => proposals.onBlur())}
        onInput={(event) => {
          growToText(event.currentTarget);
          onText(event.currentTarget.value);
          if (!event.isComposing) proposals.update(true);
        }}
        onClick={() => proposals.update()}
        onKeyUp={(event) => {
          isPlainAsked = false;
          if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) proposals.update();
        }}
        onCompositionEnd={() => proposals.update(true)}
        onKeyDown={(event) => onKeyDown(event, proposals, props)}
        onPaste={(event) => onPaste(event, proposals, props)}
      />
      <Tools editor={proposals} onFiles={onFiles} end={end} endItems={props.endItems} />
    </>
  );
}

const LABELS = {
  person: "mention",
  silent: "mention",
  channel: "channels-and-topics",
  topic: "topics",
  emoji: "emoji",
  slash: "commands",
  code: "languages",
} as const;

/** With these keys, text is pasted unchanged. */
const PASTES_PLAIN = /^Mod\+(?:Alt\+)?Shift\+V$/;
let isPlainAsked = false;

function onKeyDown(event: KeyboardEvent, proposals: EditorSuggestions, editing: EditorProps): void {
  const name = nameOfPress(event, isMac());
  isPlainAsked = PASTES_PLAIN.test(name);
  if (!proposals.handleKey(name) && !handleKey(name, proposals, editing)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns whether the editor handled the key. */
function handleKey(name: string, editor: EditorHandle, { onKey, onSubmit }: EditorProps): boolean {
  if (onKey?.(name)) return true;
  const content = editor.content();
  switch (name) {
    case "Mod+B":
      editor.apply(toggleMark(content, "**"));
      return true;
    case "Mod+I":
      editor.apply(toggleMark(content, "*"));
      return true;
    case "Mod+Shift+L":
      editor.apply(withLink(content, t("link-words")));
      return true;
    case "Mod+'":
    // On keyboards such as the German one, the character needs Shift.
    case "Mod+Shift+'":
      if (editor.node.form) openSnippets(editor.node.form, editor);
      return true;
    case "Enter":
    case "Mod+Enter":
      if ((name === "Enter") === doesEnterSend()) onSubmit();
      else editor.apply(continueList(content) ?? replaceSelection(content, "\n"));
      return true;
    case "Shift+Enter":
      editor.apply(replaceSelection(content, "\n"));
      return true;
  }
  return false;
}

export const doesEnterSend = (): boolean => getState().settings.settings["enter_sends"] === true;

function onPaste(
  event: ClipboardEvent,
  editor: EditorHandle,
  { onFiles, onLongText }: EditorProps,
): void {
  const data = event.clipboardData;
  if (!data) return;
  const text = data.getData("text/plain");
  const files = [...data.files];
  // Some programs add an image of copied text, which is ignored.
  if (files.length > 0 && text === "" && onFiles) {
    event.preventDefault();
    return onFiles(files);
  }
  if (onLongText && new Blob([text]).size > TEXT_BYTES_MAX) {
    event.preventDefault();
    return onLongText(text);
  }
  if (isPlainAsked) return;
  const language = languageOf(data.getData("vscode-editor-data"));
  const edit = pasted(editor.content(), { text, html: data.getData("text/html"), language });
  if (!edit) return;
  event.preventDefault();
  editor.apply(edit);
}
