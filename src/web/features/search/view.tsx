// The search field: pills as buttons, text, suggestions, and a sentence that describes the search.
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { commonWordsIn, UNINDEXED_MESSAGES_MAX } from "../../../text/search/stop-words.ts";
import { view } from "../../store/address.ts";
import { subscribe } from "../../store/store.ts";
import { takeCapturedText } from "../../ui/buffer-typing.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { MessagesView } from "../../views.ts";
import { formatCount } from "../../words/numbers.ts";
import { t } from "../../words/words.ts";
import { SidebarButton } from "../page/sidebar-button.tsx";
import { ConnectionBanner } from "../page/connection-banner.tsx";
import { wasSearchStartedHere, SearchField } from "./field.ts";
import { pin, findPinnedView, unpin } from "../pinned/actions.ts";
import { searching } from "./open-state.ts";
import { consumeKey, Pill, Suggestions } from "./parts.tsx";
import { queryOf } from "./query-rules.ts";
import { sentenceOf } from "./selectors.ts";
import { isSearchView } from "./result-selectors.ts";
import type { SearchSuggestion } from "./suggestions.ts";

export function SearchBar({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("channels", "users");
  const field = useMemo(() => new SearchField(), []);
  useLayoutEffect(() => field.setTerms(terms), [JSON.stringify(terms)]);
  useLayoutEffect(() => {
    const goesOn = wasSearchStartedHere();
    const { input } = field;
    if (!input || (searching.value === undefined && !goesOn)) return;
    const text = takeCapturedText();
    // Further typing starts a new word.
    if (searching.value && field.text.value !== "") field.text.value += " ";
    if (text !== "") {
      input.value = field.text.value + text;
      field.onInput(input);
    }
    input.focus();
  }, [searching.value]);
  const { suggestions, invalidFilter } = field.suggest();
  const now = field.terms();
  const currentView = view.value;
  return (
    <div>
      <header class="bar">
        <SidebarButton />
        <h1 class="vh">{t("search")}</h1>
        <div class="search-field" role="search">
          <Icon name="search" size={18} />
          {field.pills.value.map((term, index) => (
            <Pill key={index} term={term} field={field} index={index} />
          ))}
          <Words field={field} suggestions={suggestions} />
          {now.length > 0 && (
            <IconButton icon="x" size="xs" label={t("clear")} onClick={() => field.clear()} />
          )}
          {suggestions.length > 0 && (
            <Suggestions
              suggestions={suggestions}
              activeIndex={field.activeIndex.value}
              onTake={(suggestion) => field.choose(suggestion)}
            />
          )}
        </div>
      </header>
      <ConnectionBanner />
      <div class="col">
        <p class="says">
          <span>{withNames(now)}</span>
          <span role="status">
            {invalidFilter !== undefined && t("search-stray", { name: invalidFilter })}
            {invalidFilter === undefined && ignoredWordsNote(now)}
          </span>
          {currentView.kind === "messages" && isSearchView(currentView.terms) && (
            <PinButton view={currentView} />
          )}
        </p>
      </div>
    </div>
  );
}

/** Names the words that the search ignores because they are too common. */
function ignoredWordsNote(terms: readonly NarrowTerm[]): string {
  const { ignored, areAll } = commonWordsIn(queryOf(terms).text);
  if (areAll) return t("search-only-common", { count: formatCount(UNINDEXED_MESSAGES_MAX) });
  if (ignored.length === 0) return "";
  const text = ignored.map((word) => t("search-quoted", { word })).join(", ");
  return t("search-common", { words: text, count: ignored.length });
}

/** Emphasizes names in the sentence; names never contain NUL, which marks them. */
const withNames = (terms: readonly NarrowTerm[]) =>
  sentenceOf(terms, (name) => `\0${name}\0`)
    .split("\0")
    .map((segment, index) => (index % 2 === 1 ? <b>{segment}</b> : segment));

/** Pins the search to the sidebar under a custom name. */
function PinButton({ view }: { view: MessagesView }) {
  subscribe("navigation_view");
  const pinned = findPinnedView(view);
  return (
    <IconButton
      icon="pin"
      size="xs"
      label={t("pin-view")}
      isPressed={pinned !== undefined}
      onClick={() => (pinned ? void unpin(pinned) : pin(view))}
    />
  );
}

interface WordsProps {
  field: SearchField;
  suggestions: readonly SearchSuggestion[];
}

function Words({ field, suggestions }: WordsProps) {
  const index = field.activeIndex.value;
  return (
    <input
      ref={(node) => {
        field.input = node;
      }}
      role="combobox"
      aria-label={t("search-messages")}
      aria-expanded={suggestions.length > 0}
      aria-controls="search-suggestions"
      aria-autocomplete="list"
      aria-activedescendant={index >= 0 && suggestions[index] ? `search-${index}` : undefined}
      autocomplete="off"
      spellcheck={false}
      placeholder={field.pills.value.length === 0 ? t("search-example") : ""}
      value={field.text.value}
      // Results are not covered by suggestions.
      onFocus={() => (field.isOpen.value = searching.peek() !== undefined)}
      onPointerDown={() => (field.isOpen.value = true)}
      onBlur={() => (field.isOpen.value = false)}
      onInput={(event) => field.onInput(event.currentTarget)}
      onKeyDown={(event) => consumeKey(event, field.handleKey(event, suggestions))}
    />
  );
}
