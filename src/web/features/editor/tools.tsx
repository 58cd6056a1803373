// The tools under a text: each acts on what is selected, and its own undo takes it back.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keyed } from "../../live.ts";
import { untilThere } from "../../scripts.ts";
import { boxOf } from "../../ui/box.ts";
import { IconButton } from "../../ui/button.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { type MenuItem, type MenuItems, openMenu } from "../../ui/menu.tsx";
import { nextHour, withOffset } from "../../words/moments.ts";
import { say, type Word } from "../../words/words.ts";
import {
  coded,
  type Edit,
  fenced,
  formula,
  listed,
  numbered,
  put,
  quoted,
  toggled,
  type Written,
} from "./edits.ts";
import { openSnippets } from "../compose/snippets.tsx";
import { noteUsed } from "../emoji/recent.ts";
import { canRecord } from "../voice/record.ts";
import { VoiceButton, voiceItem } from "../voice/view.tsx";
import { askWidget, type Kind } from "../widgets/make.tsx";
import { type CallKind, callLink, hasCalls } from "./calls.ts";
import type { EditorHandle } from "./handle.ts";
import { linked } from "./link.ts";
import { settle, walk } from "./toolbar.ts";

type Act = (written: Written) => Edit;
interface Tool {
  icon: IconName;
  words: Word;
  act: Act | Kind;
  /** On a phone it stands behind the `+`. */
  isMore?: boolean;
}

const FIRST: readonly Tool[] = [
  { icon: "bold", words: "bold", act: (one) => toggled(one, "**") },
  { icon: "italic", words: "italic", act: (one) => toggled(one, "*"), isMore: true },
  { icon: "link", words: "link", act: (one) => linked(one, say("link-words")) },
];
const BLOCKS: readonly Tool[] = [
  { icon: "list", words: "list", act: listed, isMore: true },
  { icon: "quote", words: "quote", act: quoted, isMore: true },
  { icon: "codeblock", words: "code", act: coded, isMore: true },
  {
    icon: "eyeoff",
    words: "spoiler",
    act: (one) => fenced(one, "spoiler", say("title")),
    isMore: true,
  },
];
const MORE: readonly Tool[] = [
  { icon: "strike", words: "strike", act: (one) => toggled(one, "~~") },
  { icon: "list", words: "numbered-list", act: numbered },
  { icon: "code", words: "formula", act: formula },
  {
    icon: "clock",
    words: "insert-time",
    act: (one) => put(one, `<time:${withOffset(nextHour(Date.now()))}>`),
  },
  { icon: "resolve", words: "todo-list", act: "todo" },
];

const POLL: Tool = { icon: "poll", words: "poll", act: "poll", isMore: true };
const FOLDED = [...FIRST, ...BLOCKS, POLL].filter(({ isMore }) => isMore);

interface Given {
  editor: EditorHandle;
  onFiles: ((files: readonly File[]) => void) | undefined;
  end: ComponentChildren;
  /** Items that have no room at the end of the tools on a phone. */
  endItems: ((beside: Element) => MenuItems) | undefined;
}

export function Tools({ editor, onFiles, end, endItems }: Given) {
  const run: Run = (act) => {
    if (typeof act === "function") editor.apply(act(editor.written()));
    else askWidget(act, editor);
  };
  const draw = ({ icon, words, act, isMore }: Tool) => (
    <IconButton
      key={words}
      icon={icon}
      label={say(words)}
      size="s"
      data-more={isMore ? "" : undefined}
      // The field keeps the focus, and phones their keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => run(act)}
    />
  );
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => settle(bar.current!));
  return (
    <div
      class="compose-tools"
      role="toolbar"
      aria-label={say("tools")}
      ref={bar}
      onKeyDown={walk}
      onFocusIn={({ currentTarget, target }) => settle(currentTarget, target)}
      onFocusOut={({ currentTarget }) => settle(currentTarget)}
    >
      {FIRST.map(draw)}
      <span class="gap" />
      {BLOCKS.map(draw)}
      <span class="gap" />
      {onFiles && <Attach onFiles={onFiles} />}
      {onFiles && <VoiceButton />}
      <CallButton run={run} />
      <IconButton
        icon="smile"
        label={say("emoji")}
        size="s"
        onPointerDown={(event) => event.preventDefault()}
        onClick={({ currentTarget }) => void pickEmoji(currentTarget, run)}
      />
      {draw(POLL)}
      <More editor={editor} run={run} takesFiles={onFiles !== undefined} endItems={endItems} />
      <span class="end">{end}</span>
    </div>
  );
}

type Behind = Pick<Given, "editor" | "endItems"> & { run: Run; takesFiles: boolean };

/** Behind the plus is what is used less, and all that has no room. */
function More({ editor, run, takesFiles, endItems }: Behind) {
  const open = (beside: Element) => {
    // A tablet has no room for them either.
    const isFolded = !beside.parentElement!.querySelector("[data-more]")!.checkVisibility();
    const isPhone = matchMedia("(width < 640px)").matches;
    openMenu(beside, say("more-tools"), [
      ...items(isFolded ? [...FOLDED, ...MORE] : MORE, run),
      ...(isFolded && takesFiles && canRecord() ? [voiceItem()] : []),
      ...(isFolded && hasCalls() ? items(CALLS, run) : []),
      undefined,
      {
        icon: "word",
        label: say("snippets"),
        keys: "Mod+'",
        run: () => openSnippets(beside, editor),
      },
      ...((isPhone && endItems?.(beside)) || []),
    ]);
  };
  return (
    <IconButton
      icon="plus"
      label={say("more-tools")}
      size="s"
      aria-haspopup="menu"
      onClick={({ currentTarget }) => open(currentTarget)}
    />
  );
}

/** A link of its own, apart from the words around it. */
const called =
  (kind: CallKind): Act =>
  (written) => {
    const before = /\S$/.test(written.text.slice(0, written.start)) ? " " : "";
    const after = /^\S/.test(written.text.slice(written.end)) ? " " : "";
    return put(written, before + callLink(kind) + after);
  };

const CALLS = [
  { icon: "video", words: "video-call", act: called("video") },
  { icon: "phone", words: "voice-call", act: called("voice") },
] as const satisfies readonly Tool[];

function CallButton({ run }: { run: Run }) {
  keyed("realm");
  if (!hasCalls()) return null;
  return (
    <IconButton
      icon="video"
      label={say("add-call")}
      size="s"
      // Shown only temporarily.
      tabIndex={-1}
      data-more=""
      aria-haspopup="menu"
      onClick={(event) => openMenu(event.currentTarget, say("add-call"), items(CALLS, run))}
    />
  );
}

function Attach({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="clip"
        label={say("attach")}
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
          onFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}

type Run = (act: Act | Kind) => void;

/** Opens the emoji picker. Typing a colon and a name also works. */
async function pickEmoji(beside: Element, run: Run): Promise<void> {
  const box = boxOf(beside);
  const { openPicker } = await untilThere(() => import("../emoji/picker.tsx"));
  // The picker gives the focus back first.
  openPicker(box, ({ emoji_code, emoji_name }) => {
    noteUsed(emoji_code);
    queueMicrotask(() => run(emojiPut(emoji_name)));
  });
}

const emojiPut =
  (name: string): Act =>
  (written) => {
    const isApart = /(^|[\s(])$/.test(written.text.slice(0, written.start));
    return put(written, `${isApart ? "" : " "}:${name}: `);
  };

const items = (tools: readonly Tool[], run: Run): MenuItem[] =>
  tools.map(({ icon, words, act }) => ({
    icon,
    label: say(words),
    // The menu gives the focus back first.
    run: () => queueMicrotask(() => run(act)),
  }));
