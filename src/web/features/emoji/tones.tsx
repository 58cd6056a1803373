// Chooses the skin tone with which the picker inserts emoji.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t, type TextKey } from "../../words/words.ts";
import { withTone } from "./choices.ts";
import { chooseTone, tone, type SkinTone, TONES } from "./tone-state.ts";

const HAND = "270b";
const NAMES: Readonly<Record<SkinTone, TextKey>> = {
  "": "tone-default",
  "1f3fb": "tone-light",
  "1f3fc": "tone-medium-light",
  "1f3fd": "tone-medium",
  "1f3fe": "tone-medium-dark",
  "1f3ff": "tone-dark",
};
const handWithTone = (tone: SkinTone) => withTone(HAND, tone) ?? "✋";

export function Tones() {
  const isOpen = useSignal(false);
  const group = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isOpen.value) group.current?.querySelector<HTMLElement>("[aria-pressed=true]")?.focus();
  }, [isOpen.value]);
  const choose = (tone: SkinTone) => {
    chooseTone(tone);
    isOpen.value = false;
    queueMicrotask(() => button.current?.focus());
  };
  const name = t(NAMES[tone.value]);
  return (
    <div class="emoji-tones">
      {isOpen.value && (
        <div role="group" aria-label={t("skin-tone")} ref={group}>
          {TONES.map((option) => (
            <button
              key={option}
              type="button"
              aria-label={t(NAMES[option])}
              title={t(NAMES[option])}
              aria-pressed={option === tone.value}
              onClick={() => choose(option)}
            >
              {handWithTone(option)}
            </button>
          ))}
        </div>
      )}
      <button
        ref={button}
        type="button"
        aria-label={`${t("skin-tone")}: ${name}`}
        title={t("skin-tone")}
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {handWithTone(tone.value)}
      </button>
    </div>
  );
}
