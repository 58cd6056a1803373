// The emoji picker: names are sought as one types, arrows move in the grid.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { glyphOf } from "../../content/enrich.ts";
import { now } from "../../live.ts";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import type { Box } from "../../ui/box.ts";
import { Popover } from "../../ui/popover.tsx";
import { say } from "../../words/words.ts";
import { type Choice, found, moved, type Section, sectionsOf } from "./choices.ts";
import { mostUsed } from "./recent.ts";
import { spellsEmoji } from "./sign.ts";

const ID = "emoji-picker";
/** Maximum of frequently used emoji, shown in one row. */
const USED_MAX = 9;
/** Sizes in the style sheet for touch: a cell, its margins, and the widths of its containers. */
const [CELL_PX, EDGES_PX, POP_PX, PHONE_PX] = [44, 34, 312, 640];
function usedMax(): number {
  const isWide = innerWidth >= PHONE_PX;
  if (isWide && !matchMedia("(pointer: coarse)").matches) return USED_MAX;
  return Math.min(USED_MAX, Math.floor((isWide ? POP_PX : innerWidth - EDGES_PX) / CELL_PX));
}
export function openPicker(beside: Box, take: (choice: Choice) => void): void {
  openLayer(ID, <Picker beside={beside} take={take} />);
}

function Picker({ beside, take }: { beside: Box; take: (choice: Choice) => void }) {
  const text = useSignal("");
  const at = useSignal(0);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const all = useMemo(
    () => sectionsOf(Object.values(now().organization.emoji), mostUsed(usedMax())),
    [],
  );
  const hits = found(all, text.value);
  const sections: Section[] = text.value.trim() === "" ? all : [{ id: "found", choices: hits }];
  const choices = sections.flatMap((section) => section.choices);
  const chosen = choices[at.value];
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.querySelector("[data-active]")?.scrollIntoView({ block: "nearest" });
  }, [at.value]);
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    closeLayer(ID);
    take(choice);
  };
  const onKey = (event: KeyboardEvent) => {
    const lengths = sections.map((section) => section.choices.length);
    const isInText = text.value !== "" && /Left|Right/.test(event.key);
    const to = isInText ? undefined : moved(lengths, at.value, event.key, columnsOf(list.current!));
    if (event.key === "Enter") pick(chosen);
    else if (to !== undefined) at.value = to;
    else return;
    event.preventDefault();
  };
  return (
    <Popover id={ID} beside={beside} label={say("emoji")} class="emoji-pop">
      <label class="field">
        <Icon name="search" size={16} />
        <input
          ref={field}
          role="combobox"
          aria-expanded="true"
          aria-controls="emoji-list"
          aria-activedescendant={chosen && idOf(at.value)}
          aria-label={say("find-emoji")}
          placeholder={say("find-emoji")}
          value={text.value}
          onKeyDown={onKey}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            at.value = 0;
          }}
        />
      </label>
      <div class="emoji-list" id="emoji-list" role="listbox" aria-label={say("emoji")} ref={list}>
        <Sections sections={sections} at={at.value} pick={pick} />
        {choices.length === 0 && <p class="cap">{say("emoji-none")}</p>}
      </div>
      <Foot choice={chosen} />
    </Popover>
  );
}

/** The number of columns that fit. */
function columnsOf(list: HTMLElement): number {
  const grid = list.querySelector(".grid");
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(" ").length : 1;
}

function Foot({ choice }: { choice: Choice | undefined }) {
  if (!choice) return <p class="foot" />;
  const { emoji_name } = choice;
  return (
    <p class="foot">
      {!spellsEmoji() && <Sign choice={choice} class="big" />}
      <b>{emoji_name.replaceAll("_", " ")}</b> :{emoji_name}:
    </p>
  );
}

const idOf = (index: number) => `emoji-${index}`;

interface Drawn {
  sections: readonly Section[];
  at: number;
  pick: (choice: Choice) => void;
}

function Sections({ sections, at, pick }: Drawn) {
  let index = 0;
  return (
    <>
      {sections.map(({ id, choices }) => (
        <div key={id} class="emoji-section" role="group" aria-label={say(`emoji-${id}`)}>
          <p class="cap" aria-hidden="true">
            {say(`emoji-${id}`)}
          </p>
          <div class="grid" role="none" data-names={spellsEmoji() ? "" : undefined}>
            {choices.map((choice) => {
              const own = index++;
              return (
                <button
                  key={choice.emoji_code}
                  id={idOf(own)}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={own === at}
                  aria-label={choice.emoji_name.replaceAll("_", " ")}
                  data-active={own === at ? "" : undefined}
                  onClick={() => pick(choice)}
                >
                  <Sign choice={choice} />
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </>
  );
}

function Sign({ choice, ...rest }: { choice: Choice; class?: string }) {
  if (spellsEmoji()) return <>:{choice.emoji_name}:</>;
  if (choice.url === undefined) return <span {...rest}>{glyphOf(choice.emoji_code)}</span>;
  return <img {...rest} src={choice.url} alt="" width={20} height={20} />;
}
