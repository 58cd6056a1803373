// The people at the side of a view: who takes part, who else is in the channel, and everybody.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { onSheet } from "../../address.ts";
import { setTerms, viewKey } from "../../feed/narrow.ts";
import { allIds } from "../../feed/view.ts";
import { viewFor } from "../../feed/views.ts";
import { keyed, known, onChange } from "../../live.ts";
import { onScreen } from "../../shown.ts";
import type { State } from "../../state.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { sightOf } from "../../ui/measure.ts";
import { type Heights, offsetsOf, type Range, rangeAt } from "../../ui/list/virtual.ts";
import { placeOf, type View } from "../../views.ts";
import { formatCount } from "../../words/numbers.ts";
import { say, type Word } from "../../words/words.ts";
import { loadSubscribers } from "../channels/subscribers.ts";
import { FilesBeside } from "../files/beside.tsx";
import { personOf } from "./state.ts";
import { isOver } from "./panel-open.ts";
import { Everybody, type Head, type PanelRow, panelRows, type Shown } from "./panel-rows.ts";
import { PersonRow, STYLES } from "./row.tsx";

/** Row heights in the style sheet. Touch needs more. */
const [ROW, COMPACT_ROW] = matchMedia("(width < 640px)").matches ? [44, 44] : [40, 28];
const HEAD = 34;
const REM = 16;
/** Presence moves rows, so it does so seldom; a dot changes at once. */
const SORT_MS = 60_000;
const DRAWN_MAX = 60;

const words = signal("");
const isOfAll = signal(false);

/** From the key for it, with what was typed before the field was there. */
export function focusFilter(typed: string): void {
  words.value += typed;
  document.querySelector<HTMLElement>(".panel input")?.focus();
}

export function Panel() {
  const shown = useSettled();
  const state = known()!;
  const seen = seenIn(shown, state);
  keyed("channels", "setting:user_list_style", ...seen.keys);
  const style = state.settings.settings["user_list_style"];
  const { stream_id } = seen;
  useEffect(() => {
    if (stream_id !== undefined) void loadSubscribers(stream_id).catch(() => undefined);
  }, [stream_id]);
  const minute = useMinute();
  const channel = stream_id === undefined ? undefined : state.channels.channels.get(stream_id);
  const asked: Shown = {
    participants: seen.participants,
    of: seen.of,
    subscribers: channel?.subscribers,
    isOfAll: isOfAll.value,
    words: words.value,
    seconds: Date.now() / 1000,
  };
  const changes = useChanges("users");
  const everybody = useMemo(() => new Everybody(state), [state, changes]);
  const of = `${stream_id} ${channel?.subscribers?.size} ${seen.participants.join()}`;
  const rows = useMemo(
    () => panelRows(state, everybody, asked),
    [everybody, of, seen.of, words.value, isOfAll.value, minute],
  );
  return (
    <aside
      class="panel"
      data-compact={style === STYLES.compact ? "" : undefined}
      data-over={isOver.value ? "" : undefined}
      aria-label={say("people")}
      onKeyDown={onKeyDown}
    >
      <Top />
      <Rows rows={rows} channel={channel?.row.name} of={seen.of} style={style} />
      {channel && words.value === "" && (
        <button
          class="panel-all"
          type="button"
          aria-pressed={isOfAll.value}
          onClick={() => (isOfAll.value = !isOfAll.value)}
        >
          {say(isOfAll.value ? "only-channel" : "show-everyone")}
        </button>
      )}
      {seen.of && shown.kind === "messages" && words.value === "" && (
        <FilesBeside key={viewKey(setTerms(shown.terms))} of={shown} />
      )}
    </aside>
  );
}

/**
 * The view of which messages are painted: whoever goes there does not wait for people, nor for
 * those of a view that they have left by then.
 */
function useSettled(): View {
  const settled = useSignal(onSheet.peek());
  useEffect(
    () =>
      onSheet.subscribe((shown) => {
        void onScreen().then(() => {
          if (onSheet.peek() === shown) settled.value = shown;
        });
      }),
    [],
  );
  return settled.value;
}

function Top() {
  return (
    <div class="panel-top">
      <label class="field">
        <Icon name="search" size={16} />
        <span class="vh">{say("filter-people")}</span>
        <input
          type="search"
          placeholder={say("filter-people")}
          value={words.value}
          onInput={({ currentTarget }) => (words.value = currentTarget.value)}
          onKeyDown={(event) => leaveField(event)}
        />
      </label>
      {isOver.value && (
        <IconButton icon="x" size="s" label={say("close")} onClick={() => (isOver.value = false)} />
      )}
    </div>
  );
}

/** Grows whenever somebody came, left, or is called otherwise. */
function useChanges(key: string): number {
  const changes = useSignal(0);
  useEffect(
    () =>
      onChange((changed) => {
        if (!changed || changed.has(key)) changes.value++;
      }),
    [],
  );
  return changes.value;
}

interface Seen {
  stream_id: number | undefined;
  participants: readonly number[];
  of: Shown["of"];
  /** The state keys that it was rendered with. */
  keys: string[];
}

function seenIn(shown: View, state: State): Seen {
  const none: Seen = { stream_id: undefined, participants: [], of: undefined, keys: [] };
  if (shown.kind === "topics") {
    const { stream_id } = shown;
    return { ...none, stream_id, keys: [`subscribers:${stream_id}`] };
  }
  if (shown.kind !== "messages") return none;
  const place = placeOf(shown.terms, state.people.me);
  if (place && "user_ids" in place) {
    return { ...none, participants: [...place.user_ids, state.people.me], of: "conversation" };
  }
  const operand = shown.terms.find(({ operator, negated }) => operator === "channel" && !negated);
  const stream_id = operand ? Number(operand.operand) : undefined;
  const keys = stream_id === undefined ? [] : [`subscribers:${stream_id}`];
  if (!place) return { ...none, stream_id, keys };
  const feed = viewFor(shown.terms);
  const senders = new Set<number>();
  for (const id of allIds(feed).reverse()) {
    const message = state.messages.byId.get(id);
    if (message) senders.add(message.sender_id);
  }
  const participants = [...senders].filter((id) => personOf(state.people, id) !== undefined);
  return {
    stream_id,
    participants,
    of: "topic",
    keys: [...keys, viewKey(setTerms(shown.terms)), `topics:${stream_id}`],
  };
}

function useMinute(): number {
  const minute = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => minute.value++, SORT_MS);
    return () => clearInterval(timer);
  }, []);
  return minute.value;
}

const HEADS: Readonly<Record<Head, Word>> = {
  here: "in-this-topic",
  conversation: "in-this-conversation",
  channel: "also-in",
  others: "everyone-else",
  everyone: "everyone",
  bots: "bots",
};

function headOf(head: Head, channel: string | undefined, of: Shown["of"]): string {
  if (head === "conversation" && of !== "conversation")
    return say("in-channel", { name: channel ?? "" });
  return say(HEADS[head], { name: channel ?? "" });
}

interface Listed {
  rows: readonly PanelRow[];
  channel: string | undefined;
  of: Shown["of"];
  style: unknown;
}

/** Grow with the text size. */
function useHeights(row: number): Heights {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const by = Math.max(1, rem / REM);
  return useMemo(() => ({ head: HEAD * by, row: row * by }), [row, by]);
}

/** Renders only rows near the visible part, since an organization may have ten thousand users. */
function Rows({ rows, channel, of, style }: Listed) {
  const heights = useHeights(style === STYLES.compact ? COMPACT_ROW : ROW);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const range = useSignal<Range>({ start: 0, end: DRAWN_MAX });
  const offsets = offsetsOf(rows, heights);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current || !list.current) return undefined;
    const look = () => {
      const next = rangeAt(offsetsOf(rows, heights), sightOf(current, list.current!));
      const { start, end } = range.peek();
      if (next.start !== start || next.end !== end) range.value = next;
    };
    current.addEventListener("scroll", look, { passive: true });
    // Reports the size at once, after layout, and when it becomes visible.
    const watch = new ResizeObserver(look);
    watch.observe(current);
    return () => {
      watch.disconnect();
      current.removeEventListener("scroll", look);
    };
  }, [rows, heights]);
  const start = Math.min(range.value.start, rows.length);
  const end = Math.min(Math.max(range.value.end, start), rows.length);
  const above = offsets[start] ?? 0;
  const below = (offsets[rows.length] ?? 0) - (offsets[end] ?? 0);
  return (
    <div class="panel-scroll" ref={scroller} tabIndex={-1}>
      <div
        ref={(node) => {
          list.current = node;
          node?.style.setProperty("padding-block", `${above}px ${below}px`);
        }}
      >
        {rows.slice(start, end).map(({ key, head, count, user_id }) =>
          user_id === undefined ? (
            <h2 key={key}>
              <bdi>{headOf(head!, channel, of)}</bdi> <span class="num">{formatCount(count!)}</span>
            </h2>
          ) : (
            <PersonRow key={key} user_id={user_id} style={style} />
          ),
        )}
        {rows.length === 0 && <p class="hint">{say("none-found", { words: words.value })}</p>}
      </div>
    </div>
  );
}

/** Arrows go from one to the next, and up into the field. */
function onKeyDown(event: KeyboardEvent): void {
  if (event.key === "Escape" && isOver.value) {
    isOver.value = false;
    event.stopPropagation();
    return;
  }
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const panel = event.currentTarget as HTMLElement;
  const all = [...panel.querySelectorAll<HTMLElement>("input, .person")];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  next.focus();
  event.preventDefault();
}

function leaveField(event: KeyboardEvent): void {
  if (event.key === "Escape" && words.value !== "") words.value = "";
  else if (event.key === "Enter") {
    document.querySelector<HTMLElement>(".panel .person")?.click();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
