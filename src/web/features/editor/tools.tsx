// The formatting tools below a text; each edits the selection, and Ctrl+Z undoes it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { subscribe } from "../../store/store.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import { IconButton } from "../../ui/button.tsx";
import type { IconName } from "../../content/icon-names.ts";
import { type MenuItem, type MenuItems, openMenu } from "../../ui/menu.tsx";
import { nextHour, withOffset } from "../../words/moments.ts";
import { t, type TextKey } from "../../words/words.ts";
import {
  type Edit,
  type EditorHandle,
  type EditorText,
  coded,
  fenced,
  formula,
  toggleList,
  numbered,
  replaceSelection,
  toggleQuote,
  toggleMark,
} from "./edit-rules.ts";
import { openSnippets } from "./snippets.tsx";
import { recordEmojiUse } from "../emoji/state.ts";
import { canRecord } from "../voice/record.ts";
import { VoiceButton, voiceItem } from "../voice/view.tsx";
import { openWidgetDialog, type WidgetKind } from "../widgets/create.tsx";
import { type CallKind, callLink, hasCalls } from "./calls.ts";
import { withLink } from "./link.ts";
import { makeTabStop, moveInToolbar } from "./toolbar.ts";
import { openPicker } from "../emoji/open-picker.tsx";

type EditAction = (editorText: EditorText) => Edit;
interface Tool {
  icon: IconName;
  textKey: TextKey;
  action: EditAction | WidgetKind;
  /** Shown in the `+` menu on phones. */
  isMore?: boolean;
}

const FIRST_TOOLS: readonly Tool[] = [
  { icon: "bold", textKey: "bold", action: (text) => toggleMark(text, "**") },
  { icon: "italic", textKey: "italic", action: (text) => toggleMark(text, "*"), isMore: true },
  { icon: "link", textKey: "link", action: (text) => withLink(text, t("link-words")) },
];
const BLOCKS: readonly Tool[] = [
  { icon: "list", textKey: "list", action: toggleList, isMore: true },
  { icon: "quote", textKey: "quote", action: toggleQuote, isMore: true },
  { icon: "codeblock", textKey: "code", action: coded, isMore: true },
  {
    icon: "eyeoff",
    textKey: "spoiler",
    action: (text) => fenced(text, "spoiler", t("title")),
    isMore: true,
  },
];
const MORE_TOOLS: readonly Tool[] = [
  { icon: "strike", textKey: "strike", action: (text) => toggleMark(text, "~~") },
  { icon: "list", textKey: "numbered-list", action: numbered },
  { icon: "code", textKey: "formula", action: formula },
  {
    icon: "clock",
    textKey: "insert-time",
    action: (text) => replaceSelection(text, `<time:${withOffset(nextHour(Date.now()))}>`),
  },
  { icon: "resolve", textKey: "todo-list", action: "todo" },
];

const POLL: Tool = { icon: "poll", textKey: "poll", action: "poll", isMore: true };
const MENU_TOOLS = [...FIRST_TOOLS, ...BLOCKS, POLL].filter(({ isMore }) => isMore);

interface ToolsProps {
  editor: EditorHandle;
  onFiles: ((files: readonly File[]) => void) | undefined;
  end: ComponentChildren;
  /** Items without room at the end of the toolbar on phones. */
  endItems: ((anchor: Element) => MenuItems) | undefined;
}

export function Tools({ editor, onFiles, end, endItems }: ToolsProps) {
  const run: RunTool = (tool) => {
    if (typeof tool === "function") editor.apply(tool(editor.content()));
    else openWidgetDialog(tool, editor);
  };
  const renderTool = ({ icon, textKey, action, isMore }: Tool) => (
    <IconButton
      key={textKey}
      icon={icon}
      label={t(textKey)}
      size="s"
      data-more={isMore ? "" : undefined}
      // Keeps the focus in the field, and the keyboard open on phones.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => run(action)}
    />
  );
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (bar.current) makeTabStop(bar.current);
  });
  return (
    <div
      class="compose-tools"
      role="toolbar"
      aria-label={t("tools")}
      ref={bar}
      onKeyDown={moveInToolbar}
      onFocusIn={({ currentTarget, target }) => makeTabStop(currentTarget, target)}
      onFocusOut={({ currentTarget }) => makeTabStop(currentTarget)}
    >
      {FIRST_TOOLS.map(renderTool)}
      <span class="gap" />
      {BLOCKS.map(renderTool)}
      <span class="gap" />
      {onFiles && <Attach onFiles={onFiles} />}
      {onFiles && <VoiceButton />}
      <CallButton run={run} />
      <IconButton
        icon="smile"
        label={t("emoji")}
        size="s"
        onPointerDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => void pickEmoji(currentTarget, run)}
      />
      {renderTool(POLL)}
      <More editor={editor} run={run} takesFiles={onFiles !== undefined} endItems={endItems} />
      <span class="end">{end}</span>
    </div>
  );
}

type MoreProps = Pick<ToolsProps, "editor" | "endItems"> & { run: RunTool; takesFiles: boolean };

/** The `+` menu has rarely used tools and those without room. */
function More({ editor, run, takesFiles, endItems }: MoreProps) {
  const open = (anchor: Element) => {
    // On tablets, these tools have no room in the toolbar either.
    const more = anchor.parentElement?.querySelector("[data-more]");
    const isFolded = more?.checkVisibility() !== true;
    const isPhone = matchMedia("(width < 640px)").matches;
    openMenu(anchor, t("more-tools"), [
      ...items(isFolded ? [...MENU_TOOLS, ...MORE_TOOLS] : MORE_TOOLS, run),
      ...(isFolded && takesFiles && canRecord() ? [voiceItem()] : []),
      ...(isFolded && hasCalls() ? items(CALL_TOOLS, run) : []),
      undefined,
      {
        icon: "word",
        label: t("snippets"),
        asks: true,
        keys: "Mod+'",
        run: () => openSnippets(anchor, editor),
      },
      ...((isPhone && endItems?.(anchor)) || []),
    ]);
  };
  return (
    <IconButton
      icon="plus"
      label={t("more-tools")}
      size="s"
      aria-haspopup="menu"
      onClick={({ currentTarget }) => open(currentTarget)}
    />
  );
}

/**
 * Inserts the link to a call with spaces around it, so that it is not part of the text beside it.
 */
const callAction =
  (kind: CallKind): EditAction =>
  (editorText) => {
    const before = /\S$/.test(editorText.text.slice(0, editorText.start)) ? " " : "";
    const after = /^\S/.test(editorText.text.slice(editorText.end)) ? " " : "";
    return replaceSelection(editorText, before + callLink(kind) + after);
  };

const CALL_TOOLS = [
  { icon: "video", textKey: "video-call", action: callAction("video") },
  { icon: "phone", textKey: "voice-call", action: callAction("voice") },
] as const satisfies readonly Tool[];

function CallButton({ run }: { run: RunTool }) {
  subscribe("realm");
  if (!hasCalls()) return null;
  return (
    <IconButton
      icon="video"
      label={t("add-call")}
      size="s"
      // The button is displayed only while there is no room for the others.
      tabIndex={-1}
      data-more=""
      aria-haspopup="menu"
      onClick={(event) => openMenu(event.currentTarget, t("add-call"), items(CALL_TOOLS, run))}
    />
  );
}

function Attach({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="clip"
        label={t("attach")}
        size="s"
        onClick={() => picker.current?.click()}
      />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => {
          const input = event.currentTarget;
          onFiles([...(input.files ?? [])]);
          input.value = "";
          // Moves the focus to the text, because the user continues to write or sends the message.
          input.form?.querySelector("textarea")?.focus();
        }}
      />
    </>
  );
}

type RunTool = (tool: EditAction | WidgetKind) => void;

/** Opens the emoji picker. Typing a colon and a name also works. */
function pickEmoji(anchor: Element, run: RunTool): Promise<void> {
  // The picker returns the focus before the emoji is inserted.
  return openPicker(
    boxOf(anchor),
    ({ emoji_code, emoji_name, toned, url }) => {
      recordEmojiUse(emoji_code, url === undefined ? emoji_name : undefined);
      queueMicrotask(() => run(emojiPut(toned ?? `:${emoji_name}:`)));
    },
    { hasTones: true },
  );
}

const emojiPut =
  (listMarker: string): EditAction =>
  (editorText) => {
    const isApart = /(^|[\s(])$/.test(editorText.text.slice(0, editorText.start));
    return replaceSelection(editorText, `${isApart ? "" : " "}${listMarker} `);
  };

const items = (tools: readonly Tool[], run: RunTool): MenuItem[] =>
  tools.map(({ icon, textKey, action }) => ({
    icon,
    label: t(textKey),
    asks: typeof action === "string",
    // The menu returns the focus before the action runs.
    run: () => queueMicrotask(() => run(action)),
  }));
