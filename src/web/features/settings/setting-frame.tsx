// The layout of a setting's row: name, hint, error and control.
import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ApiError } from "../../contract/api-error.ts";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { Refusal } from "../../ui/form/form.tsx";
import { type SaveErrors, type runWithToast, errorText } from "../../ui/form/save-errors.ts";
import { type Option, optionsWith, labelOf } from "./rows.ts";

interface SettingFrameProps {
  id: string;
  textKey: TextKey;
  hint?: TextKey | undefined;
  beside?: ComponentChildren;
  /** Content below the hint. */
  more?: ComponentChildren;
  /** The control takes a line of its own. */
  isWide?: boolean;
  children: ComponentChildren;
}

export function SettingFrame({
  id,
  textKey,
  hint,
  beside,
  more,
  isWide,
  children,
}: SettingFrameProps) {
  return (
    <div class="settings-row" data-wide={isWide ? "" : undefined}>
      <span>
        <label for={id}>{t(textKey)}</label>
        {beside}
      </span>
      {hint && <p id={`${id}-hint`}>{t(hint)}</p>}
      {more}
      <span class="settings-ctl">{children}</span>
    </div>
  );
}

/** The id of the text below a row, for screen readers. */
export function describedBy(name: string): string {
  return ["hint", "why", "refused"].map((suffix) => `setting-${name}-${suffix}`).join(" ");
}

interface SwitchFieldProps {
  name: string;
  value: unknown;
  isDisabled: boolean;
  change: (value: string | number | boolean) => void;
}

export function SwitchField({ name, value, isDisabled, change }: SwitchFieldProps) {
  return (
    <input
      class="switch"
      type="checkbox"
      role="switch"
      id={`setting-${name}`}
      aria-describedby={describedBy(name)}
      disabled={isDisabled}
      checked={value === true}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}

type ChoiceFieldProps = SwitchFieldProps & { options: readonly Option[]; refusals: SaveErrors };

export function ChoiceField({
  name,
  value,
  isDisabled,
  change,
  options,
  refusals,
}: ChoiceFieldProps) {
  const all = optionsWith(options, value);
  return (
    <span class="field">
      <select
        id={`setting-${name}`}
        aria-describedby={describedBy(name)}
        aria-invalid={refusals.errorOf(name) !== undefined}
        disabled={isDisabled}
        value={String(value)}
        onChange={({ currentTarget }) => {
          const option = all.find((option) => String(option.value) === currentTarget.value);
          if (option) change(option.value);
        }}
      >
        {all.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {labelOf(option)}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Why the server rejected the new value of a row. */
export function ErrorNote({ refusals, name }: { refusals: SaveErrors; name: string }) {
  return <Refusal id={`setting-${name}-refused`} text={refusals.useRow(name) ?? ""} />;
}

export type Attempt = typeof runWithToast;

interface ListItemProps {
  class?: string;
  /** Requests the list again, if no event reports changes. */
  retry?: (() => Promise<unknown>) | undefined;
  /** Receives a function that runs an action and shows its error in the row. */
  children: (attempt: Attempt) => ComponentChildren;
}

/** A row of a list. */
export function ListItem({ class: kind, retry: retryAction, children }: ListItemProps) {
  const item = useRef<HTMLLIElement>(null);
  const { text, attempt } = useAttempt(item, retryAction);
  return (
    <li ref={item} class={kind}>
      {children(attempt)}
      <Refusal text={text} />
    </li>
  );
}

/** Rows that disappear this soon after an error disappeared for the same reason. */
const SOON_MS = 10_000;

function useAttempt(item: RefObject<HTMLLIElement | null>, retryAction: ListItemProps["retry"]) {
  const refusal = useSignal("");
  const { current: row } = useRef<{ list?: Element | null; refused_ms: number }>({ refused_ms: 0 });
  const isBusy = useRef(false);
  const isMounted = useRef(false);
  useLayoutEffect(() => {
    row.list = item.current?.parentElement;
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      const isSoon = Date.now() - row.refused_ms < SOON_MS;
      // Ignored if the whole list disappears with the page.
      if (isSoon) queueMicrotask(() => row.list?.isConnected && showRowGone());
    };
  }, []);
  const attempt: Attempt = async (step) => {
    if (isBusy.current) return false;
    isBusy.current = true;
    refusal.value = "";
    row.refused_ms = 0;
    try {
      await step();
      return true;
    } catch (error) {
      const isRefused = error instanceof ApiError;
      if (isRefused) await retryAction?.().catch(() => undefined);
      if (isRefused && isMounted.current) row.refused_ms = Date.now();
      if (isMounted.current) refusal.value = errorText(error);
      else if (isRefused && row.list?.isConnected) showRowGone();
      else showToast({ text: errorText(error), isAlert: true });
      return false;
    } finally {
      isBusy.current = false;
    }
  };
  return { text: refusal.value, attempt };
}

export const showRowGone = (): void => void showToast({ text: t("row-removed"), isAlert: true });
