// The emoji picker: typing searches names, arrow keys move in the grid.
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { getState } from "../../store/store.ts";
import { CloseOnPhones } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { Popover } from "../../ui/popover.tsx";
import { hasTouchScreen } from "../../touch-screen.ts";
import { t } from "../../words/words.ts";
import { Categories } from "./categories.tsx";
import {
  type EmojiChoice,
  searchEmoji,
  moveInGrid,
  type EmojiSection,
  sectionsOf,
  withTone,
} from "./choices.ts";
import { PICKER } from "./picker-layer.ts";
import { mostUsedCodes } from "./state.ts";
import { showsEmojiAsText } from "./selectors.ts";
import { idOf, Sections, EmojiGlyph } from "./sections.tsx";
import { synonymsIn } from "./synonyms.ts";
import { tone } from "./tone-state.ts";
import { Tones } from "./tones.tsx";

/** Maximum of frequently used emoji, shown in one row. */
const USED_MAX = 9;
/**
 * Sizes in the style sheet for touch screens, in pixels: a cell, the margins of a row, and the
 * widths of the picker on large and small screens.
 */
const [CELL_PX, EDGES_PX, POP_PX, PHONE_PX] = [44, 34, 312, 640];
/** The height of a category's heading, which stays at the top. */
const HEADING_PX = 32;
function frequentMax(): number {
  const isWide = innerWidth >= PHONE_PX;
  if (isWide && !hasTouchScreen()) return USED_MAX;
  return Math.min(USED_MAX, Math.floor((isWide ? POP_PX : innerWidth - EDGES_PX) / CELL_PX));
}

/** `toned`: the emoji as text, if the user has chosen a skin tone for it. */
type PickedEmoji = EmojiChoice & { toned?: string };
export type OnPickEmoji = (picked: PickedEmoji) => void;

export interface PickerOptions {
  /** In the protocol, reactions and statuses have no skin tones; texts may have them. */
  hasTones?: boolean;
}

export function showPicker(
  anchor: Box,
  onPick: OnPickEmoji,
  { hasTones = false }: PickerOptions = {},
): void {
  openLayer(
    PICKER,
    <Picker anchor={anchor} onPick={onPick} hasTones={hasTones && !showsEmojiAsText()} />,
  );
}

interface EmojiPickerProps {
  anchor: Box;
  onPick: OnPickEmoji;
  hasTones: boolean;
}

function Picker({ anchor, onPick, hasTones }: EmojiPickerProps) {
  const text = useSignal("");
  const active = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = useMemo(
    () => sectionsOf(Object.values(getState().organization.emoji), mostUsedCodes(frequentMax())),
    [],
  );
  const sections = useSections(all, text.value);
  const choices = sections.flatMap((section) => section.choices);
  const current = choices[active.value];
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [active.value]);
  const { top, go } = useCategories(all, list, { text, activeIndex: active });
  const pick = (choice: EmojiChoice | undefined) => {
    if (!choice) return;
    const toned = hasTones ? withTone(choice.emoji_code, tone.peek()) : undefined;
    closeLayer(PICKER);
    onPick(toned === undefined ? choice : { ...choice, toned });
  };
  const onKey = (event: KeyboardEvent, isInField: boolean) => {
    const situation = { sections, activeIndex: active.value, list: list.current, isInField, text };
    const to = targetOfKey(event, situation);
    if (event.key === "Enter") pick(current);
    else if (to !== undefined) {
      active.value = to;
      if (!isInField) document.getElementById(idOf(to))?.focus();
    } else return isInField ? undefined : typeIntoField(event, field);
    event.preventDefault();
  };
  return (
    <Popover id={PICKER} anchor={anchor} label={t("emoji")} class="emoji-pop">
      <SearchField {...{ field, text, onKey }} activeIndex={active} hasChoice={!!current} />
      <Categories sections={all} current={top.value} go={go} />
      <div
        class="emoji-list"
        id="emoji-list"
        role="listbox"
        aria-label={t("emoji")}
        ref={list}
        onKeyDown={(event) => onKey(event, false)}
        onScroll={({ currentTarget }) => (top.value = topOf(currentTarget, all) ?? top.peek())}
      >
        <Sections
          {...{ sections, hasTones, pick }}
          activeIndex={active.value}
          reach={(index) => (active.value = index)}
        />
        {choices.length === 0 && <p class="cap">{t("emoji-none")}</p>}
      </div>
      <Foot choice={current} hasTones={hasTones} />
    </Popover>
  );
}

/** Returns all sections, or one with the search results. */
function useSections(all: readonly EmojiSection[], text: string): readonly EmojiSection[] {
  const keywords = useKeywords();
  const synonyms = useComputed(() => synonymsIn(t("emoji-other-words")));
  if (text.trim() === "") return all;
  const further = { keywords: keywords.value, synonyms: synonyms.value };
  return [{ id: "found", choices: searchEmoji(all, text, further) }];
}

type SectionId = EmojiSection["id"];

/** Tracks the category at the top, and scrolls to a category, which ends the search. */
function useCategories(
  all: readonly EmojiSection[],
  list: RefObject<HTMLElement | null>,
  { text, activeIndex }: { text: Signal<string>; activeIndex: Signal<number> },
) {
  const top = useSignal<SectionId>("used");
  const jump = useSignal<{ id: SectionId; isByKey: boolean } | undefined>(undefined);
  // Runs after rendering, since a search hides the sections.
  useLayoutEffect(() => {
    if (!jump.value) return;
    const { id, isByKey } = jump.value;
    list.current?.querySelector(`[data-section=${id}]`)?.scrollIntoView({ block: "start" });
    if (isByKey) document.getElementById(idOf(activeIndex.peek()))?.focus({ preventScroll: true });
  }, [jump.value]);
  const go = (id: SectionId, isByKey: boolean) => {
    text.value = "";
    top.value = id;
    activeIndex.value = firstOf(all, id);
    jump.value = { id, isByKey };
  };
  return { top, go };
}

/** Loads further search words after the picker has opened; until then, only names are searched. */
function useKeywords(): Signal<ReadonlyMap<string, string> | undefined> {
  const keywords = useSignal<ReadonlyMap<string, string> | undefined>(undefined);
  useEffect(() => {
    void import("./keywords.ts").then(
      ({ KEYWORDS }) => (keywords.value = KEYWORDS),
      () => undefined,
    );
  }, []);
  return keywords;
}

interface Searching {
  field: RefObject<HTMLInputElement | null>;
  text: Signal<string>;
  activeIndex: Signal<number>;
  hasChoice: boolean;
  onKey: (event: KeyboardEvent, isInField: boolean) => void;
}

function SearchField({ field, text, activeIndex, hasChoice, onKey }: Searching) {
  return (
    <label class="field">
      <Icon name="search" size={16} />
      <input
        ref={field}
        role="combobox"
        aria-expanded="true"
        aria-controls="emoji-list"
        aria-activedescendant={hasChoice ? idOf(activeIndex.value) : undefined}
        aria-label={t("find-emoji")}
        placeholder={t("find-emoji")}
        value={text.value}
        onKeyDown={(event) => onKey(event, true)}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          activeIndex.value = 0;
        }}
      />
      <CloseOnPhones layer={PICKER} />
    </label>
  );
}

interface PickerKeyContext {
  sections: readonly EmojiSection[];
  activeIndex: number;
  list: HTMLElement | null;
  isInField: boolean;
  text: Signal<string>;
}

/**
 * Returns the emoji that a key moves to. In the field, keys that move the text cursor keep that
 * effect.
 */
function targetOfKey({ key }: KeyboardEvent, situation: PickerKeyContext): number | undefined {
  const { sections, activeIndex, list, isInField, text } = situation;
  if (isInField && text.peek() !== "" && /Left|Right/.test(key)) return undefined;
  const lengths = sections.map(({ choices }) => choices.length);
  if (!isInField && key === "Home") return 0;
  if (!isInField && key === "End") return lengths.reduce((sum, length) => sum + length, -1);
  return moveInGrid(lengths, activeIndex, key, columnsOf(list));
}

/** A character typed in the grid continues the search. */
function typeIntoField(
  { key, ctrlKey, metaKey }: KeyboardEvent,
  field: RefObject<HTMLInputElement | null>,
) {
  if (key.length === 1 && key !== " " && !ctrlKey && !metaKey) field.current?.focus();
}

function firstOf(sections: readonly EmojiSection[], id: EmojiSection["id"]): number {
  const before = sections.slice(
    0,
    Math.max(
      0,
      sections.findIndex((section) => section.id === id),
    ),
  );
  return before.reduce((sum, { choices }) => sum + choices.length, 0);
}

/** Returns the topmost category in the scrolled list. */
function topOf(
  list: HTMLElement,
  sections: readonly EmojiSection[],
): EmojiSection["id"] | undefined {
  const edge = list.getBoundingClientRect().top + HEADING_PX;
  const visibleSection = [...list.querySelectorAll<HTMLElement>("[data-section]")].findLast(
    (section) => section.getBoundingClientRect().top < edge,
  );
  return sections.find(({ id }) => id === visibleSection?.dataset["section"])?.id;
}

/** The number of columns that fit. */
function columnsOf(list: HTMLElement | null): number {
  const grid = list?.querySelector(".grid");
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;
}

function Foot({ choice, hasTones }: { choice: EmojiChoice | undefined; hasTones: boolean }) {
  return (
    <div class="foot">
      {choice && !showsEmojiAsText() && (
        <EmojiGlyph choice={choice} hasTones={hasTones} class="big" />
      )}
      {choice && (
        <span class="name">
          <b>{choice.emoji_name.replaceAll("_", " ")}</b> :{choice.emoji_name}:
        </span>
      )}
      {hasTones && <Tones />}
    </div>
  );
}
