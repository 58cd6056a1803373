// A row with the user's six most used reactions, above a message's menu on phones.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Message } from "../../contract/message.ts";
import { getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";
import type { EmojiChoice } from "../emoji/choices.ts";
import { emojiGlyph } from "../emoji/selectors.ts";
import { mostUsedCodes } from "../emoji/state.ts";
import { toggleReaction } from "./actions.ts";

const QUICK = 6;

interface Quick {
  message: Message;
  close: () => void;
}

export function QuickReactions({ message, close }: Quick) {
  const choices = useSignal<readonly EmojiChoice[]>([]);
  useEffect(() => {
    // The names of all emoji are loaded when they are first needed.
    void import("../emoji/choices.ts").then(({ sectionsOf }) => {
      const [used] = sectionsOf(Object.values(getState().organization.emoji), mostUsedCodes(QUICK));
      choices.value = used?.choices.slice(0, QUICK) ?? [];
    });
  }, []);
  return choices.value.map((choice) => (
    <button
      key={choice.emoji_code}
      class="menu-quick"
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-label={t("react-with-emoji", { emoji: choice.emoji_name.replaceAll("_", " ") })}
      onClick={() => {
        close();
        const { emoji_name, emoji_code, reaction_type } = choice;
        toggleReaction(message, { emoji_name, emoji_code, reaction_type });
      }}
    >
      {choice.url === undefined ? (
        <span aria-hidden="true">{emojiGlyph(choice.emoji_code, choice.emoji_name)}</span>
      ) : (
        <img src={choice.url} alt="" width={24} height={24} />
      )}
    </button>
  ));
}
