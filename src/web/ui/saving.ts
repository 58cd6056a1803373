// Saves sections of a page separately, and tracks progress, success and errors.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../contract/api-error.ts";
import { t } from "../words/words.ts";
import { useIsRemoved } from "./loading/is-removed.ts";
import { showToast } from "./toast.tsx";

export interface Saving {
  /** Errors by name of the part. */
  errors: Signal<Readonly<Record<string, string>>>;
  busy: Signal<string | undefined>;
  /** The part that was saved last, and how to take that back. */
  saved: Signal<{ part: string; undo: (() => void) | undefined } | undefined>;
  /**
   * Resolves to whether it succeeded. A part that is being saved is not sent again, unless its
   * change can be undone: such a change waits until the previous request of its part has ended.
   */
  save(
    field: string,
    request: () => Promise<unknown>,
    undo?: () => Promise<unknown>,
  ): Promise<boolean>;
  /** The user is correcting the part. */
  forget(field: string): void;
}

export function useSaving(): Saving {
  const errors = useSignal<Readonly<Record<string, string>>>({});
  const busy = useSignal<string | undefined>(undefined);
  const saved = useSignal<{ part: string; undo: (() => void) | undefined } | undefined>(undefined);
  const forget = (field: string) => {
    if (!(field in errors.peek())) return;
    const { [field]: _mended, ...others } = errors.peek();
    errors.value = others;
  };
  const isRemoved = useIsRemoved();
  const runningRequests = useRef(new Map<string, Promise<boolean>>());
  const save: Saving["save"] = (field, request, undo) => {
    const before = runningRequests.current.get(field);
    if (before && !undo) return Promise.resolve(false);
    const started = before
      ? before.then(() => send(field, request, undo))
      : send(field, request, undo);
    const all = runningRequests.current.set(field, started);
    void started.then(() => all.get(field) === started && all.delete(field));
    return started;
  };
  const send: Saving["save"] = async (field, request, undo) => {
    busy.value = field;
    try {
      await request();
      forget(field);
      saved.value = { part: field, undo: undo && (() => void save(field, undo)) };
      return true;
    } catch (error) {
      saved.value = undefined;
      errors.value = { ...errors.peek(), [field]: errorOf(error) };
      if (isRemoved.current) showToast({ text: errorOf(error), isAlert: true });
      return false;
    } finally {
      busy.value = undefined;
    }
  };
  return { errors, busy, saved, save, forget };
}

/** The error in the server's words, with advice where necessary. */
export function errorOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t("server-unreachable");
  if (error.code === "EXPECTATION_MISMATCH") return t("changed-meanwhile");
  return error.text;
}

/** For a user who has just lost the permission for an action. */
export const showPermissionLost = (): void =>
  void showToast({ text: t("permission-lost"), isAlert: true });

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
