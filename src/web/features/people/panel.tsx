// The panel of users beside a view: participants, other subscribers, and everyone.
import type { TargetedKeyboardEvent } from "preact";
import type { ChangeKey } from "../../contract/change-keys.ts";
import { signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { sheetView } from "../../store/address.ts";
import { setTerms, viewKey } from "../../store/narrow.ts";
import { allIds } from "../../feed/segments.ts";
import { viewFor } from "../../store/feed-views.ts";
import { subscribe, getState, revisionOf } from "../../store/store.ts";
import { afterNextFrame } from "../../ui/loading/scheduling.ts";
import type { State } from "../../store/state.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { visibleRange } from "../../ui/measure.ts";
import { type Heights, offsetsOf, type Range, rangeAt } from "../../ui/list/virtual.ts";
import { conversationOf, type View } from "../../views.ts";
import { formatCount } from "../../words/numbers.ts";
import { t, type TextKey } from "../../words/words.ts";
import { loadSubscribers } from "../channels/subscriber-actions.ts";
import { FilesPanel } from "../files/panel.tsx";
import { PinsPanel } from "../pins/panel.tsx";
import { personOf } from "./state.ts";
import { isOver } from "./panel-state.ts";
import { AllUsers, type Head, type PanelRow, panelRows, type PanelContent } from "./panel-rows.ts";
import { PersonRow, STYLES } from "./row.tsx";

/** Row heights in the style sheet. Touch needs more. */
const [ROW, COMPACT_ROW] = matchMedia("(width < 640px)").matches ? [44, 44] : [40, 28];
const HEAD = 34;
const REM = 16;
/** Rows are reordered rarely after presence changes; the indicator changes immediately. */
const SORT_MS = 60_000;
const RENDERED_MAX = 60;

const text = signal("");
const isOfAll = signal(false);

/** Focuses the filter, with text that was typed before the field existed. */
export function focusFilter(initialText: string): void {
  text.value += initialText;
  document.querySelector<HTMLElement>(".panel input")?.focus();
}

export function Panel() {
  const currentView = useSettledView();
  const state = getState();
  const renderedPanel = panelContentIn(currentView, state);
  subscribe("channels", "setting:user_list_style", ...renderedPanel.keys);
  const style = state.settings.settings["user_list_style"];
  const { stream_id } = renderedPanel;
  useEffect(() => {
    if (stream_id !== undefined) void loadSubscribers(stream_id).catch(() => undefined);
  }, [stream_id]);
  const minute = useMinute();
  const channel = stream_id === undefined ? undefined : state.channels.channels.get(stream_id);
  const content: PanelContent = {
    participants: renderedPanel.participants,
    scope: renderedPanel.scope,
    subscribers: channel?.subscribers,
    isOfAll: isOfAll.value,
    text: text.value,
    seconds: Date.now() / 1000,
  };
  const changes = revisionOf("users");
  const everybody = useMemo(() => new AllUsers(state), [state, changes]);
  const rowsKey = `${stream_id} ${channel?.subscribers?.size} ${renderedPanel.participants.join()}`;
  const rows = useMemo(
    () => panelRows(state, everybody, content),
    [everybody, rowsKey, renderedPanel.scope, text.value, isOfAll.value, minute],
  );
  return (
    <aside
      class="panel"
      data-compact={style === STYLES.compact ? "" : undefined}
      data-over={isOver.value ? "" : undefined}
      aria-label={t("people")}
      onKeyDown={onKeyDown}
    >
      <Top />
      <Rows rows={rows} channel={channel?.row.name} scope={renderedPanel.scope} style={style} />
      {channel && text.value === "" && (
        <button
          class="panel-all"
          type="button"
          aria-pressed={isOfAll.value}
          onClick={() => (isOfAll.value = !isOfAll.value)}
        >
          {t(isOfAll.value ? "only-channel" : "show-everyone")}
        </button>
      )}
      {stream_id !== undefined && text.value === "" && <PinsPanel stream_id={stream_id} />}
      {renderedPanel.scope && currentView.kind === "messages" && text.value === "" && (
        <FilesPanel key={viewKey(setTerms(currentView.terms))} view={currentView} />
      )}
    </aside>
  );
}

/**
 * The view whose messages are displayed. The panel follows later, so that it delays neither this
 * view nor one that is already left.
 */
function useSettledView(): View {
  const settled = useSignal(sheetView.peek());
  useEffect(
    () =>
      sheetView.subscribe((currentView) => {
        void afterNextFrame().then(() => {
          if (sheetView.peek() === currentView) settled.value = currentView;
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
        <span class="vh">{t("filter-people")}</span>
        <input
          type="search"
          placeholder={t("filter-people")}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          onKeyDown={(event) => leaveField(event)}
        />
      </label>
      {isOver.value && (
        <IconButton icon="x" size="s" label={t("close")} onClick={() => (isOver.value = false)} />
      )}
    </div>
  );
}

interface RenderedPanel {
  stream_id: number | undefined;
  participants: readonly number[];
  scope: PanelContent["scope"];
  /** The state keys of the data that was rendered. */
  keys: readonly ChangeKey[];
}

function panelContentIn(currentView: View, state: State): RenderedPanel {
  const emptyPanel: RenderedPanel = {
    stream_id: undefined,
    participants: [],
    scope: undefined,
    keys: [],
  };
  if (currentView.kind === "topics") {
    const { stream_id } = currentView;
    return { ...emptyPanel, stream_id, keys: [`subscribers:${stream_id}`] };
  }
  if (currentView.kind !== "messages") return emptyPanel;
  const conversation = conversationOf(currentView.terms, state.people.me);
  if (conversation && "user_ids" in conversation) {
    return {
      ...emptyPanel,
      participants: [...conversation.user_ids, state.people.me],
      scope: "conversation",
    };
  }
  const operand = currentView.terms.find(
    ({ operator, negated }) => operator === "channel" && !negated,
  );
  const stream_id = operand ? Number(operand.operand) : undefined;
  const keys: readonly ChangeKey[] = stream_id === undefined ? [] : [`subscribers:${stream_id}`];
  if (!conversation) return { ...emptyPanel, stream_id, keys };
  const feed = viewFor(currentView.terms);
  const senders = new Set<number>();
  for (const id of allIds(feed).reverse()) {
    const message = state.messages.byId.get(id);
    if (message) senders.add(message.sender_id);
  }
  const participants = [...senders].filter((id) => personOf(state.people, id) !== undefined);
  return {
    stream_id,
    participants,
    scope: "topic",
    keys: [...keys, viewKey(setTerms(currentView.terms)), `topics:${conversation.stream_id}`],
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

const HEADS: Readonly<Record<Head, TextKey>> = {
  here: "in-this-topic",
  conversation: "in-this-conversation",
  channel: "also-in",
  others: "everyone-else",
  everyone: "everyone",
  bots: "bots",
};

function headOf(head: Head, channel: string | undefined, context: PanelContent["scope"]): string {
  if (head === "conversation" && context !== "conversation")
    return t("in-channel", { name: channel ?? "" });
  return t(HEADS[head], { name: channel ?? "" });
}

interface RowsProps {
  rows: readonly PanelRow[];
  channel: string | undefined;
  scope: PanelContent["scope"];
  style: unknown;
}

/** Returns the heights of rows, which grow with the text size. */
function useHeights(row: number): Heights {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const scale = Math.max(1, rem / REM);
  return useMemo(() => ({ head: HEAD * scale, row: row * scale }), [row, scale]);
}

/** Renders only rows near the visible part, since an organization may have ten thousand users. */
function Rows({ rows, channel, scope, style }: RowsProps) {
  const heights = useHeights(style === STYLES.compact ? COMPACT_ROW : ROW);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const range = useSignal<Range>({ start: 0, end: RENDERED_MAX });
  const offsets = offsetsOf(rows, heights);
  useLayoutEffect(() => {
    const [{ current }, { current: inner }] = [scroller, list];
    if (!current || !inner) return undefined;
    const updateRange = () => {
      const next = rangeAt(offsetsOf(rows, heights), visibleRange(current, inner));
      const { start, end } = range.peek();
      if (next.start !== start || next.end !== end) range.value = next;
    };
    current.addEventListener("scroll", updateRange, { passive: true });
    // Reports the size at once, after layout, and when it becomes visible.
    const watch = new ResizeObserver(updateRange);
    watch.observe(current);
    return () => {
      watch.disconnect();
      current.removeEventListener("scroll", updateRange);
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
              <bdi>{headOf(head!, channel, scope)}</bdi>{" "}
              <span class="num">{formatCount(count!)}</span>
            </h2>
          ) : (
            <PersonRow key={key} user_id={user_id} style={style} />
          ),
        )}
        {rows.length === 0 && <p class="hint">{t("none-found", { words: text.value })}</p>}
      </div>
    </div>
  );
}

/** Arrow keys move between rows, and up into the field. */
function onKeyDown(event: TargetedKeyboardEvent<HTMLElement>): void {
  if (event.key === "Escape" && isOver.value) {
    isOver.value = false;
    return event.stopPropagation();
  }
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>("input, .person")];
  const next = all[all.findIndex((element) => element === document.activeElement) + step];
  next?.focus();
  if (next) event.preventDefault();
}

function leaveField(event: KeyboardEvent): void {
  if (event.key === "Escape" && text.value !== "") text.value = "";
  else if (event.key === "Enter") {
    document.querySelector<HTMLElement>(".panel .person")?.click();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}
