// The category buttons of the emoji picker, which scroll the list to a category.
import type { TargetedKeyboardEvent } from "preact";
import { t } from "../../words/words.ts";
import type { EmojiSection } from "./choices.ts";

const SECTION_ICONS: Readonly<Record<EmojiSection["id"], string>> = {
  used: "🕘",
  own: "🧩",
  found: "🔍",
  smileys: "😀",
  people: "👋",
  nature: "🐻",
  food: "🍎",
  travel: "🚗",
  activities: "⚽",
  objects: "💡",
  symbols: "💜",
  flags: "🚩",
};

interface CategoriesProps {
  sections: readonly EmojiSection[];
  /** The category at the top of the list. */
  current: EmojiSection["id"];
  /** If `isByKey`, the focus moves to the category too. */
  go: (id: EmojiSection["id"], isByKey: boolean) => void;
}

export function Categories({ sections, current, go }: CategoriesProps) {
  return (
    <div class="emoji-tabs" role="toolbar" aria-label={t("emoji-categories")} onKeyDown={onTabKey}>
      {sections.map(({ id }) => (
        <button
          key={id}
          type="button"
          tabIndex={id === current ? 0 : -1}
          aria-label={t(`emoji-${id}`)}
          title={t(`emoji-${id}`)}
          aria-current={id === current}
          onClick={({ detail }) => go(id, detail === 0)}
        >
          <span aria-hidden="true">{SECTION_ICONS[id]}</span>
        </button>
      ))}
    </div>
  );
}

function onTabKey(event: TargetedKeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll("button")];
  const index = all.findIndex((button) => button === event.target);
  const to = { ArrowRight: (index + 1) % all.length, ArrowLeft: index - 1, Home: 0, End: -1 }[
    event.key
  ];
  if (to === undefined) return;
  all.at(to)?.focus();
  event.preventDefault();
}
