// How a row of settings stands: its name with what is said beside it, why, and its control.
import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Refused } from "../../api/http.ts";
import { showToast } from "../../ui/toast.tsx";
import { say, type Word } from "../../words/words.ts";
import { type attempt, Refusal, type Refusals, wordsOf } from "./form.tsx";
import { type Option, optionsWith, saidOf } from "./rows.ts";

interface Framed {
  id: string;
  words: Word;
  hint?: Word | undefined;
  beside?: ComponentChildren;
  /** Content below the hint. */
  more?: ComponentChildren;
  /** The control takes a line of its own. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function SettingFrame({ id, words, hint, beside, more, isWide, children }: Framed) {
  return (
    <div class="settings-row" data-wide={isWide ? "" : undefined}>
      <span>
        <label for={id}>{say(words)}</label>
        {beside}
      </span>
      {hint && <p id={`${id}-hint`}>{say(hint)}</p>}
      {more}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

/** The id of the text below a row, for screen readers. */
export function describedBy(name: string): string {
  return ["hint", "why", "refused"].map((part) => `setting-${name}-${part}`).join(" ");
}

interface Chosen {
  name: string;
  value: unknown;
  isOff: boolean;
  change: (value: string | number | boolean) => void;
}

export function SwitchField({ name, value, isOff, change }: Chosen) {
  return (
    <input
      class="switch"
      type="checkbox"
      role="switch"
      id={`setting-${name}`}
      aria-describedby={describedBy(name)}
      disabled={isOff}
      checked={value === true}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}

type Offered = Chosen & { options: readonly Option[]; refusals: Refusals };

export function ChoiceField({ name, value, isOff, change, options, refusals }: Offered) {
  const all = optionsWith(options, value);
  return (
    <span class="field">
      <select
        id={`setting-${name}`}
        aria-describedby={describedBy(name)}
        aria-invalid={refusals.of(name) !== undefined}
        disabled={isOff}
        value={String(value)}
        onChange={({ currentTarget }) => {
          const option = all.find((one) => String(one.value) === currentTarget.value);
          if (option) change(option.value);
        }}
      >
        {all.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {saidOf(option)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Why the server would not have what was chosen in a row. */
export function RefusedNote({ refusals, name }: { refusals: Refusals; name: string }) {
  return <Refusal id={`setting-${name}-refused`} words={refusals.useRow(name) ?? ""} />;
}

/** That something was saved, with the way back. */
export function SavedNote({ undo }: { undo: () => void }) {
  return (
    <span class="settings-saved" role="status">
      {say("settings-saved")}{" "}
      <button type="button" onClick={undo}>
        {say("undo")}
      </button>
    </span>
  );
}

export type Act = typeof attempt;

interface Listed {
  class?: string;
  /** Asks what is in the list now, where no event tells. */
  again?: (() => Promise<unknown>) | undefined;
  /** Receives a function that runs an action and shows its error in the row. */
  children: (act: Act) => ComponentChildren;
}

/** A row of a list. */
export function ListItem({ class: kind, again, children }: Listed) {
  const item = useRef<HTMLLIElement>(null);
  const { words, act } = useActing(item, again);
  return (
    <li ref={item} class={kind}>
      {children(act)}
      <Refusal words={words} />
    </li>
  );
}

/** Rows that disappear this soon after an error disappeared for the same reason. */
const SOON_MS = 10_000;

function useActing(item: RefObject<HTMLLIElement | null>, again: Listed["again"]) {
  const refusal = useSignal("");
  const { current: row } = useRef({ list: undefined as Element | undefined, refused_ms: 0 });
  const isBusy = useRef(false);
  const isThere = useRef(false);
  useLayoutEffect(() => {
    row.list = item.current!.parentElement!;
    isThere.current = true;
    return () => {
      isThere.current = false;
      const isSoon = Date.now() - row.refused_ms < SOON_MS;
      // Ignored if the whole list disappears with the page.
      if (isSoon) queueMicrotask(() => row.list!.isConnected && tellGone());
    };
  }, []);
  const act: Act = async (step) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    refusal.value = "";
    row.refused_ms = 0;
    try {
      await step();
      return true;
    } catch (error) {
      const isRefused = error instanceof Refused;
      if (isRefused) await again?.().catch(() => undefined);
      if (isRefused && isThere.current) row.refused_ms = Date.now();
      if (isThere.current) refusal.value = wordsOf(error);
      else if (isRefused && row.list!.isConnected) tellGone();
      else showToast({ words: wordsOf(error), isAlert: true });
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  return { words: refusal.value, act };
}

export const tellGone = (): void => showToast({ words: say("row-gone"), isAlert: true });
