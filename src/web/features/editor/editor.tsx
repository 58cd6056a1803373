// The Markdown editor: a text area with tools, suggestions and paste handling.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { isMac } from "../../commands.ts";
import { nameOfPress } from "../../keys.ts";
import { now } from "../../live.ts";
import { loadRenderer } from "../../render/loading.ts";
import type { MenuItems } from "../../ui/menu.tsx";
import type { Place } from "../../views.ts";
import { say } from "../../words/words.ts";
import { openSnippets } from "../compose/snippets.tsx";
import { continued, put, toggled } from "./edits.ts";
import { grow } from "./measure.ts";
import type { EditorHandle } from "./handle.ts";
import { linked } from "./link.ts";
import { Proposals } from "./proposals.ts";
import { languageOf, pasted, TEXT_BYTES_MAX } from "./paste.ts";
import { SuggestionList } from "../typeahead/suggestions.tsx";
import { Tools } from "./tools.tsx";

interface Editing {
  label: string;
  placeholder?: string;
  /** The people of this place are offered first. */
  place: Place | undefined;
  text?: string;
  /** Ready, and once more with nothing when it goes. */
  onEditor: (editor: EditorHandle | undefined) => void;
  onText: (text: string) => void;
  onSubmit: () => void;
  onFiles?: (files: readonly File[]) => void;
  /** A long text that could be a file instead. */
  onLongText?: (text: string) => void;
  /** Keys of its own; true: the press was for it. */
  onKey?: (name: string) => boolean;
  /** Behind the tools: buttons that end it. */
  end: ComponentChildren;
  /** Items that a phone shows in a menu. */
  endItems?: ((beside: Element) => MenuItems) | undefined;
  children?: ComponentChildren;
}

export function Editor(props: Editing) {
  const { label, placeholder, place, onEditor, onText, onFiles, end, children } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const [proposals] = useState(() => new Proposals(() => area.current!));
  const listId = useId();
  useEffect(() => {
    if (props.text) area.current!.value = props.text;
    onEditor(proposals);
    return () => onEditor(undefined);
  }, []);
  proposals.place = place;
  const current = proposals.shown.value;
  return (
    <>
      {current && (
        <SuggestionList
          id={listId}
          label={say(LABELS[current.trigger.kind])}
          {...current}
          onChoose={(suggestion) => proposals.choose(suggestion)}
          onLeave={() => proposals.pressed("Escape")}
          onPoint={(active) => (proposals.shown.value = { ...current, active })}
        />
      )}
      {children}
      <textarea
        ref={area}
        aria-label={label}
        placeholder={placeholder ?? label}
        rows={2}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={current ? listId : undefined}
        aria-activedescendant={current ? `${listId}-${current.active}` : undefined}
        onFocus={loadRenderer}
        onBlur={() => queueMicrotask(() => proposals.left())}
        onInput={(event) => {
          grow(event.currentTarget);
          onText(event.currentTarget.value);
          if (!event.isComposing) proposals.look(true);
        }}
        onClick={() => proposals.look()}
        onKeyUp={(event) => {
          isPlainAsked = false;
          if (/^(Arrow(Left|Right)|Home|End)$/.test(event.key)) proposals.look();
        }}
        onCompositionEnd={() => proposals.look(true)}
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

function onKeyDown(event: KeyboardEvent, proposals: Proposals, editing: Editing): void {
  const name = nameOfPress(event, isMac());
  isPlainAsked = PASTES_PLAIN.test(name);
  if (!proposals.pressed(name) && !pressed(name, proposals, editing)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Says whether the press was for the editor. */
function pressed(name: string, editor: EditorHandle, { onKey, onSubmit }: Editing): boolean {
  if (onKey?.(name)) return true;
  const written = editor.written();
  switch (name) {
    case "Mod+B":
      editor.apply(toggled(written, "**"));
      return true;
    case "Mod+I":
      editor.apply(toggled(written, "*"));
      return true;
    case "Mod+Shift+L":
      editor.apply(linked(written, say("link-words")));
      return true;
    case "Mod+'":
    // On keyboards such as the German one, the sign needs Shift.
    case "Mod+Shift+'":
      openSnippets(editor.node.form!, editor);
      return true;
    case "Enter":
    case "Mod+Enter":
      if ((name === "Enter") === doesEnterSend()) onSubmit();
      else editor.apply(continued(written) ?? put(written, "\n"));
      return true;
    case "Shift+Enter":
      editor.apply(put(written, "\n"));
      return true;
  }
  return false;
}

export const doesEnterSend = (): boolean => now().settings.settings["enter_sends"] === true;

function onPaste(
  event: ClipboardEvent,
  editor: EditorHandle,
  { onFiles, onLongText }: Editing,
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
  const edit = pasted(editor.written(), { text, html: data.getData("text/html"), language });
  if (!edit) return;
  event.preventDefault();
  editor.apply(edit);
}
