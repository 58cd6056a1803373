// Saving parts of a page, each alone: which is on its way, which was saved last, what was refused.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Refused } from "../api/http.ts";
import { say } from "../words/words.ts";
import { showToast } from "./toast.tsx";

export interface Saving {
  /** Errors by name of the part. */
  wrong: Signal<Readonly<Record<string, string>>>;
  busy: Signal<string | undefined>;
  saved: Signal<string | undefined>;
  /** Says whether it was done; a part that is on its way is not sent twice. */
  save(part: string, ask: () => Promise<unknown>): Promise<boolean>;
  /** The user is correcting the part. */
  forget(part: string): void;
}

export function useSaving(): Saving {
  const wrong = useSignal<Readonly<Record<string, string>>>({});
  const busy = useSignal<string | undefined>(undefined);
  const saved = useSignal<string | undefined>(undefined);
  const forget = (part: string) => {
    if (!(part in wrong.peek())) return;
    const { [part]: _mended, ...others } = wrong.peek();
    wrong.value = others;
  };
  const save = async (part: string, ask: () => Promise<unknown>): Promise<boolean> => {
    if (busy.peek() === part) return false;
    busy.value = part;
    try {
      await ask();
      forget(part);
      saved.value = part;
      return true;
    } catch (error) {
      saved.value = undefined;
      wrong.value = { ...wrong.peek(), [part]: refusalOf(error) };
      return false;
    } finally {
      busy.value = undefined;
    }
  };
  return { wrong, busy, saved, save, forget };
}

/** In the server's words, with what to do about it where that is not plain. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof Refused)) return say("not-reached");
  if (error.code === "EXPECTATION_MISMATCH") return say("changed-meanwhile");
  return error.words;
}

/** To whoever was about to do what the right is now lost for. */
export const tellRightLost = (): void => showToast({ words: say("right-lost"), isAlert: true });

/** Says a word, and leaves, when the right to be here is lost. */
export function useRight(may: boolean, leave: () => void): void {
  const had = useRef(may);
  useEffect(() => {
    if (had.current && !may) {
      tellRightLost();
      leave();
    }
    had.current = may;
  }, [may]);
}
