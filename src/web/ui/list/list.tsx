// A keyboard-controlled, virtualized list with one selected row.
import { ownValue } from "../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import { Fragment, type RefObject, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { updateEntry, remembered } from "../history-entry.ts";
import { registerCommands } from "../keys/commands.ts";
import { afterPress, afterPaint } from "../loading/scheduling.ts";
import { closestTo, elementOf } from "../../content/elements.ts";
import type { TextKey } from "../../words/words.ts";
import { RowBoundary } from "../loading/boundary.tsx";
import { isLayered } from "../layers.ts";
import { type ListItem, useDetailList } from "./list-beside.ts";
import { heightsIn, revealAt, visibleRange } from "../measure.ts";
import { chunked, type Heights, offsetsOf, type Range, rangeAt } from "./virtual.ts";

interface ListProps<T extends ListItem> {
  items: readonly T[];
  /** The key of the selected row. */
  selected: Signal<string | undefined>;
  /** Label for screen readers, if the surrounding element has another name. */
  label?: string;
  /** Renders an item as a `Row` or `Head`. */
  renderItem: (item: T, isSelected: boolean) => VNode;
  onOpen: (item: T, isInNewTab: boolean) => void;
  /** Keys with an action on the selected row. */
  keys?: Readonly<Record<string, (item: T) => KeyResult>>;
}

/** `false`: not handled; a key of an item: selects that one. */
export type KeyResult = boolean | string | void;

/** Maximum of rows that are rendered without virtualization. */
const RENDERED_WHOLE_MAX = 80;
/** Height of a row before one was measured. */
const ROW_PX = 57;
/** More rows than any scroller shows. Only these are rendered in the first frame. */
const FIRST_ROWS = Math.ceil(screen.height / ROW_PX) + 1;

export function List<T extends ListItem>(props: ListProps<T>) {
  const { items, selected, label, renderItem } = props;
  const node = useRef<HTMLDivElement>(null);
  const heights = useRef<Heights>({ head: 46, row: ROW_PX });
  useRestoredSelection(props);
  const { start, end } = useRange(items, node, heights);
  const wantsFocus = useRef(false);
  const focused = useDetailList(items, selected, wantsFocus);
  useListCommands(props, node, heights, wantsFocus);
  const offsets = offsetsOf(items, heights.current);
  const above = offsets[start] ?? 0;
  const below = (offsets[items.length] ?? 0) - (offsets[end] ?? 0);
  const renderRow = (item: T) => (
    <RowBoundary key={item.key} itemKey={item.key}>
      {renderItem(item, selected.value === item.key)}
    </RowBoundary>
  );
  return (
    <div
      class="list"
      role={label === undefined ? undefined : "group"}
      aria-label={label}
      ref={(element) => {
        node.current = element;
        element?.style.setProperty("padding-block", `${above}px ${below}px`);
      }}
      onFocusIn={(event) => {
        const key = keyAt(event.target);
        // Selecting a row may change the layout, because its details are beside it. So the
        // selection waits for the end of the press.
        focused.current = key;
        if (key !== undefined) afterPress(() => (selected.value = key));
      }}
      onFocusOut={({ target }) =>
        queueMicrotask(() => {
          // A removed row has not lost the focus.
          const isIncluded = node.current?.contains(document.activeElement);
          if (!isIncluded && elementOf(target)?.isConnected) focused.current = undefined;
        })
      }
    >
      {chunked(items.slice(start, end)).map(({ head, rows }) => (
        <Fragment key={head?.key ?? "rows"}>
          {head && renderRow(head)}
          {rows.length > 0 && <ul>{rows.map(renderRow)}</ul>}
        </Fragment>
      ))}
    </div>
  );
}

type Node = RefObject<HTMLDivElement | null>;

/** The range of items to render for the scroll position. */
function useRange(items: readonly ListItem[], node: Node, heights: { current: Heights }): Range {
  const range = useSignal<Range>({ start: 0, end: FIRST_ROWS });
  const isFirst = useRef(true);
  const isComplete = items.length <= RENDERED_WHOLE_MAX;
  useLayoutEffect(() => {
    // No layout is measured if everything is rendered.
    if (isComplete) return undefined;
    const scroller = scrollerOf(node.current);
    const updateRange = () => {
      if (!node.current || !scroller) return;
      heights.current = heightsIn(node.current, heights.current);
      const offsets = offsetsOf(items, heights.current);
      const next = rangeAt(offsets, visibleRange(scroller, node.current));
      const { start, end } = range.peek();
      if (next.start !== start || next.end !== end) range.value = next;
    };
    // The first frame is rendered before heights are measured.
    let isOver = false;
    if (isFirst.current) void afterPaint().then(() => !isOver && updateRange());
    else updateRange();
    isFirst.current = false;
    scroller?.addEventListener("scroll", updateRange, { passive: true });
    return () => {
      isOver = true;
      scroller?.removeEventListener("scroll", updateRange);
    };
  }, [items]);
  if (isComplete) return { start: 0, end: items.length };
  const { start, end } = range.value;
  return { start: Math.min(start, items.length), end: Math.min(end, items.length) };
}

/** Number of rows around the selected one that stay rendered. */
const NEIGHBORS_MAX = 4;

/** Returning to the list restores the selected row, or a neighbor of it. */
function useRestoredSelection({
  items,
  selected,
}: Pick<ListProps<ListItem>, "items" | "selected">): void {
  useLayoutEffect(() => {
    const { row, near = [] } = remembered.peek();
    const keys = new Set(items.map(({ key }) => key));
    if (row === undefined || row !== selected.peek() || keys.has(row)) return;
    selected.value = near.find((key) => keys.has(key)) ?? row;
  }, []);
  const row = selected.value;
  const index = items.findIndex(({ key }) => key === row);
  const nearbyKeys = index === -1 ? [] : keysNear(items, index);
  // Runs before paint, because the next key may navigate away.
  useLayoutEffect(() => {
    if (row !== undefined && index !== -1) updateEntry({ row, near: nearbyKeys });
  }, [row, nearbyKeys.join()]);
}

/** The neighboring rows, nearest first, without headings. */
function keysNear(items: readonly ListItem[], index: number): string[] {
  const rows = (listItems: readonly ListItem[]) =>
    listItems.filter(({ isHead }) => !isHead).slice(0, NEIGHBORS_MAX);
  const after = rows(items.slice(index + 1, index + 1 + 3 * NEIGHBORS_MAX));
  const before = rows(items.slice(Math.max(0, index - 3 * NEIGHBORS_MAX), index).reverse());
  const alternating = Array.from({ length: NEIGHBORS_MAX }, (_, distance) => [
    after[distance],
    before[distance],
  ]).flat();
  return alternating.flatMap((item) => item?.key ?? []);
}

/** Keys change the selection, and the focus follows. */
function useListCommands<T extends ListItem>(
  props: ListProps<T>,
  node: Node,
  heights: RefObject<Heights>,
  wantsFocus: RefObject<boolean>,
): void {
  const latestProps = useRef(props);
  latestProps.current = props;
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    focusOf(node.current, props.selected.value)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    // Returning to the list focuses the row once it is rendered.
    const restoreFocus = () => {
      const { activeElement } = document;
      const isFree = activeElement === document.body && !isLayered();
      if (isFree)
        focusOf(node.current, latestProps.current.selected.peek())?.focus({ preventScroll: true });
    };
    if (props.selected.peek() !== undefined) void afterPaint().then(restoreFocus);
    const choose = (index: number) => {
      const { items, selected } = latestProps.current;
      const { key } = items[index]!;
      wantsFocus.current = true;
      const scroller = scrollerOf(node.current);
      if (scroller && node.current) {
        heights.current = heightsIn(node.current, heights.current);
        revealAt(scroller, node.current, offsetsOf(items, heights.current), index);
      }
      selected.value = key;
      focusOf(node.current, key)?.focus({ preventScroll: true });
    };
    const go = (pick: (index: number, count: number) => number) => (): boolean => {
      const { items, selected } = latestProps.current;
      if (!isListVisible(node.current) || items.length === 0) return false;
      const index = items.findIndex(({ key }) => key === selected.peek());
      choose(Math.max(0, Math.min(items.length - 1, pick(index, items.length))));
      return true;
    };
    const chooseKey = (key: string) => {
      const index = latestProps.current.items.findIndex((item) => item.key === key);
      if (index !== -1) choose(index);
    };
    return registerCommands(...moveCommands(go), ...actionCommands(latestProps, node, chooseKey));
  }, []);
}

type MoveSelection = (pick: (index: number, count: number) => number) => () => boolean;

const PAGE = 8;
function moveCommands(go: MoveSelection) {
  const all: [string, string[], (index: number, count: number) => number][] = [
    ["list-next", ["ArrowDown", "j"], (index) => index + 1],
    ["list-previous", ["ArrowUp", "k"], (index) => (index === -1 ? 0 : index - 1)],
    ["list-first", ["Home"], () => 0],
    ["list-last", ["End", "G"], (_, count) => count - 1],
    ["list-page-down", ["PageDown", "J"], (index) => index + PAGE],
    ["list-page-up", ["PageUp", "K"], (index) => index - PAGE],
  ];
  return all.map(([id, keys, pick]) => {
    const bare = { textKey: "list-move", isUnlisted: true, repeats: true } as const;
    return { id, keys, run: go(pick), ...bare };
  });
}

/** Each key has the same meaning in all lists. */
const KEY_WORDS: Readonly<Record<string, TextKey>> = {
  e: "mark-as-read",
  M: "mute-this-topic",
  T: "resolve-this-topic",
  S: "join-or-leave",
  V: "open-channel",
  ArrowLeft: "list-collapse",
  h: "list-collapse",
  ArrowRight: "list-expand",
  l: "list-expand",
  Backspace: "delete-message",
  Delete: "delete-message",
};

/** The list's own shortcuts, for the selected row. */
function actionCommands<T extends ListItem>(
  latestProps: { current: ListProps<T> },
  node: { current: Element | null },
  chooseKey: (key: string) => void,
) {
  const onChosen = (action: (item: T) => KeyResult) => (): boolean => {
    const { items, selected } = latestProps.current;
    const item = items.find(({ key }) => key === selected.peek());
    if (!isListVisible(node.current) || item === undefined) return false;
    const result = action(item);
    if (typeof result === "string") chooseKey(result);
    return result !== false;
  };
  const open = (isInNewTab: boolean) =>
    onChosen((item) => {
      // Focused buttons and links handle Enter themselves.
      if (document.activeElement?.closest("button, a:not([data-focus])")) return false;
      latestProps.current.onOpen(item, isInNewTab);
      return true;
    });
  const bare = { textKey: "list-open", isUnlisted: true } as const;
  return [
    { id: "list-open", keys: ["Enter", "o", "Space"], run: open(false), ...bare },
    {
      id: "list-aside",
      keys: ["Mod+Enter"],
      run: open(true),
      ...bare,
      textKey: "list-aside" as const,
    },
    ...Object.keys(latestProps.current.keys ?? {}).map((key) => {
      const run = onChosen((item) => latestProps.current.keys?.[key]?.(item));
      const textKey = ownValue(KEY_WORDS, key) ?? bare.textKey;
      return { id: `list-key-${key}`, keys: [key], run, ...bare, textKey };
    }),
  ];
}

/** No layer is above the list, and the focus is not in another part of the page. */
function isListVisible(node: Element | null): boolean {
  if (!node || isLayered()) return false;
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.closest(".sheet") !== null;
}

const scrollerOf = (node: Element | null) => node?.closest<HTMLElement>(".scroll") ?? null;

const keyAt = (target: EventTarget | null) => closestTo(target, "[data-key]")?.dataset["key"];

function focusOf(node: Element | null, key: string | undefined): HTMLElement | undefined {
  if (!node || key === undefined) return undefined;
  const row = node.querySelector(`[data-key="${CSS.escape(key)}"]`);
  return row?.querySelector<HTMLElement>("[data-focus]") ?? undefined;
}
