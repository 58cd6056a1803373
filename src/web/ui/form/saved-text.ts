// A text that is saved when the user leaves its field; a rejected one stays as it was typed.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Saving } from "../saving.ts";
import { showToast } from "../toast.tsx";

interface SavedText {
  /** The saved text. */
  value: string;
  /** The name of the part of the page. */
  part: string;
  saving: Saving;
  set: (text: string) => Promise<unknown>;
}

/** The attributes of the field. */
export function useSavedText(savedText: SavedText) {
  const { part, saving } = savedText;
  const draftText = useSignal<string | undefined>(undefined);
  const { latest, known } = useLatest(savedText);
  const last = useRef<Promise<void>>(Promise.resolve());
  const refused = useRef<string | undefined>(undefined);
  const isMounted = useRef(false);
  /** The field has had the focus since the last input, so that no event may replace its text. */
  const isTyping = useRef(false);
  const keep = async () => {
    const { set, value: displayedText } = latest.current;
    const before = known.current;
    const text = draftText.peek()?.trim();
    if (text === undefined || text === before) show();
    else if (text !== refused.current) {
      const isSaved = await saving.save(
        part,
        () => set(text),
        () => set(before),
      );
      refused.current = isSaved ? undefined : text;
      // The text of an event that arrived meanwhile is newer.
      if (isSaved && latest.current.value === displayedText) known.current = text;
      if (isSaved && draftText.peek()?.trim() === text) show();
      const message = saving.errors.peek()[part];
      if (isMounted.current && !isSaved && message) showToast({ text: message, isAlert: true });
    }
  };
  /** Shows the saved text, unless the user may go on typing. */
  const show = () => {
    if (!isTyping.current) draftText.value = undefined;
  };
  /** Saves the text after the one that is being saved, so that the server has the newest one. */
  const keepNext = () => {
    last.current = last.current.then(keep);
  };
  useSaveOnLeave(() => {
    isMounted.current = true;
    keepNext();
  });
  return {
    value: draftText.value ?? known.current,
    error: saving.errors.value[part],
    onInput: (text: string) => {
      draftText.value = text;
      isTyping.current = true;
      refused.current = undefined;
      saving.forget(part);
    },
    onChange: keepNext,
    onBlur: () => {
      isTyping.current = false;
      // Waits for the text that is being saved, because only then is it `known`.
      last.current = last.current.then(() => {
        if (draftText.peek()?.trim() === known.current) show();
      });
    },
  };
}

/** A field that disappears with its page sends no change event. */
function useSaveOnLeave(leave: () => void): void {
  useEffect(() => leave, []);
}

/** The latest arguments, and the text that the server has, also before its event arrives. */
function useLatest(savedText: SavedText) {
  const latest = useRef(savedText);
  const confirmed = useRef(savedText.value);
  if (latest.current.value !== savedText.value) confirmed.current = savedText.value;
  latest.current = savedText;
  return { latest, known: confirmed };
}
