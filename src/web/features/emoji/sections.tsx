// The grid of emoji by category, in which Tab reaches only the active emoji.
import { glyphOf } from "../../content/enrich.ts";
import { t } from "../../words/words.ts";
import { type EmojiChoice, type EmojiSection, withTone } from "./choices.ts";
import { showsEmojiAsText } from "./selectors.ts";
import { tone } from "./tone-state.ts";

export const idOf = (index: number) => `emoji-${index}`;

interface RenderedSection {
  sections: readonly EmojiSection[];
  activeIndex: number;
  hasTones: boolean;
  pick: (choice: EmojiChoice) => void;
  /** Called when an emoji receives the focus. */
  reach: (index: number) => void;
}

export function Sections({ sections, activeIndex, hasTones, pick, reach }: RenderedSection) {
  let index = 0;
  return (
    <>
      {sections.map(({ id, choices }) => (
        <div
          key={id}
          class="emoji-section"
          role="group"
          aria-label={t(`emoji-${id}`)}
          data-section={id}
        >
          <p class="cap" aria-hidden="true">
            {t(`emoji-${id}`)}
          </p>
          <div class="grid" role="none" data-names={showsEmojiAsText() ? "" : undefined}>
            {choices.map((choice) => {
              const choiceIndex = index++;
              return (
                <button
                  key={choice.emoji_code}
                  id={idOf(choiceIndex)}
                  type="button"
                  role="option"
                  tabIndex={choiceIndex === activeIndex ? 0 : -1}
                  aria-selected={choiceIndex === activeIndex}
                  aria-label={choice.emoji_name.replaceAll("_", " ")}
                  data-active={choiceIndex === activeIndex ? "" : undefined}
                  onFocus={() => reach(choiceIndex)}
                  onClick={() => pick(choice)}
                >
                  <EmojiGlyph choice={choice} hasTones={hasTones} />
                </button>
              );
            })}
          </div>
        </div>
      ))}
    </>
  );
}

interface Signed {
  choice: EmojiChoice;
  hasTones: boolean;
  class?: string;
}

export function EmojiGlyph({ choice, hasTones, ...rest }: Signed) {
  if (showsEmojiAsText()) return <>:{choice.emoji_name}:</>;
  if (choice.url !== undefined) {
    return <img {...rest} src={choice.url} alt="" width={20} height={20} />;
  }
  const toned = hasTones ? withTone(choice.emoji_code, tone.value) : undefined;
  return <span {...rest}>{toned ?? glyphOf(choice.emoji_code)}</span>;
}
