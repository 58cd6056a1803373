// Saves sections of a page separately, and tracks progress, success and errors.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../contract/api-error.ts";
import { t } from "../words/words.ts";
import { showToast } from "./toast.tsx";

export interface Saving {
  /** Errors by name of the part. */
  errors: Signal<Readonly<Record<string, string>>>;
  busy: Signal<string | undefined>;
  /** The part that was saved last, and how to take that back. */
  saved: Signal<{ part: string; undo: (() => void) | undefined } | undefined>;
  /**
   * Resolves to whether it succeeded. A section that is being saved is not sent again. A change
   * with a way back waits until the earlier one of its part, or the undo of that, is saved.
   */
  save(
    part: string,
    request: () => Promise<unknown>,
    back?: () => Promise<unknown>,
  ): Promise<boolean>;
  /** The user is correcting the part. */
  forget(part: string): void;
}

export function useSaving(): Saving {
  const errors = useSignal<Readonly<Record<string, string>>>({});
  const busy = useSignal<string | undefined>(undefined);
  const saved = useSignal<{ part: string; undo: (() => void) | undefined } | undefined>(undefined);
  const forget = (part: string) => {
    if (!(part in errors.peek())) return;
    const { [part]: _mended, ...others } = errors.peek();
    errors.value = others;
  };
  const running = useRef(new Map<string, Promise<boolean>>());
  const save: Saving["save"] = (part, request, back) => {
    const before = running.current.get(part);
    if (before && !back) return Promise.resolve(false);
    const started = before
      ? before.then(() => send(part, request, back))
      : send(part, request, back);
    const all = running.current.set(part, started);
    void started.then(() => all.get(part) === started && all.delete(part));
    return started;
  };
  const send: Saving["save"] = async (part, request, back) => {
    busy.value = part;
    try {
      await request();
      forget(part);
      saved.value = { part, undo: back && (() => void save(part, back)) };
      return true;
    } catch (error) {
      saved.value = undefined;
      errors.value = { ...errors.peek(), [part]: errorOf(error) };
      return false;
    } finally {
      busy.value = undefined;
    }
  };
  return { errors, busy, saved, save, forget };
}

/** The error in the server's words, with advice where necessary. */
export function errorOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t("not-reached");
  if (error.code === "EXPECTATION_MISMATCH") return t("changed-meanwhile");
  return error.words;
}

/** For a user who has just lost the permission for an action. */
export const showPermissionLost = (): void =>
  void showToast({ words: t("right-lost"), isAlert: true });

/** Shows a notice and leaves when the user loses the permission to be here. */
export function useLeaveWithoutPermission(canChange: boolean, leave: () => void): void {
  const had = useRef(canChange);
  useEffect(() => {
    if (had.current && !canChange) {
      showPermissionLost();
      leave();
    }
    had.current = canChange;
  }, [canChange]);
}
