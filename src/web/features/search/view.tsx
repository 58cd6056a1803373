// The field that searches: pills that are buttons, words, suggestions, and a sentence of it all.
import { useLayoutEffect, useMemo } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { commonWordsIn, UNINDEXED_MESSAGES_MAX } from "../../../text/search/stop-words.ts";
import { view } from "../../address.ts";
import { keyed } from "../../live.ts";
import { caughtTyping } from "../../ui/ahead.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { MessagesView } from "../../views.ts";
import { formatCount } from "../../words/numbers.ts";
import { say } from "../../words/words.ts";
import { BackButton } from "../frame/back.tsx";
import { Strip } from "../frame/strip.tsx";
import { isSearchedFrom, SearchField } from "./field.ts";
import { pin, pinnedAs, unpin } from "../pinned/actions.ts";
import { isFound, searching } from "./open.ts";
import { heed, Pill, Suggestions } from "./parts.tsx";
import { queryOf } from "./query.ts";
import { sentenceOf } from "./say.ts";
import type { Suggestion } from "./suggestions.ts";

export function SearchBar({ terms }: { terms: readonly NarrowTerm[] }) {
  keyed("channels", "users");
  const field = useMemo(() => new SearchField(), []);
  useLayoutEffect(() => field.take(terms), [JSON.stringify(terms)]);
  useLayoutEffect(() => {
    const goesOn = isSearchedFrom();
    const { input } = field;
    if (!input || (searching.value === undefined && !goesOn)) return;
    const text = caughtTyping();
    // Further typing starts a new word.
    if (searching.value && field.words.value !== "") field.words.value += " ";
    if (text !== "") {
      input.value = field.words.value + text;
      field.typed(input);
    }
    input.focus();
  }, [searching.value]);
  const { suggestions, stray } = field.proposed();
  const now = field.terms();
  const shown = view.value;
  return (
    <div>
      <header class="bar">
        <BackButton />
        <h1 class="vh">{say("search")}</h1>
        <div class="search-field" role="search">
          <Icon name="search" size={18} />
          {field.pills.value.map((term, index) => (
            <Pill key={index} term={term} field={field} index={index} />
          ))}
          <Words field={field} suggestions={suggestions} />
          {now.length > 0 && (
            <IconButton icon="x" size="xs" label={say("clear")} onClick={() => field.clear()} />
          )}
          {suggestions.length > 0 && (
            <Suggestions
              suggestions={suggestions}
              at={field.at.value}
              onTake={(one) => field.choose(one)}
            />
          )}
        </div>
      </header>
      <Strip />
      <div class="col">
        <p class="says">
          <span>{withNames(now)}</span>
          <span role="status">
            {stray !== undefined && say("search-stray", { name: stray })}
            {stray === undefined && commonSaid(now)}
          </span>
          {shown.kind === "messages" && isFound(shown.terms) && <PinButton view={shown} />}
        </p>
      </div>
    </div>
  );
}

/** Says which words the search ignores because they are too common. */
function commonSaid(terms: readonly NarrowTerm[]): string {
  const { ignored, areAll } = commonWordsIn(queryOf(terms).words);
  if (areAll) return say("search-only-common", { count: formatCount(UNINDEXED_MESSAGES_MAX) });
  if (ignored.length === 0) return "";
  const words = ignored.map((word) => say("search-quoted", { word })).join(", ");
  return say("search-common", { words, count: ignored.length });
}

/** Names stand out from the words around them; none has a NUL in it. */
const withNames = (terms: readonly NarrowTerm[]) =>
  sentenceOf(terms, (name) => `\0${name}\0`)
    .split("\0")
    .map((part, at) => (at % 2 === 1 ? <b>{part}</b> : part));

/** To the rail, under a name of one's own. */
function PinButton({ view }: { view: MessagesView }) {
  keyed("navigation_view");
  const pinned = pinnedAs(view);
  return (
    <IconButton
      icon="pin"
      size="xs"
      label={say("pin-view")}
      isPressed={pinned !== undefined}
      onClick={() => (pinned ? void unpin(pinned) : pin(view))}
    />
  );
}

interface Typed {
  field: SearchField;
  suggestions: readonly Suggestion[];
}

function Words({ field, suggestions }: Typed) {
  const at = field.at.value;
  return (
    <input
      ref={(node) => {
        field.input = node;
      }}
      role="combobox"
      aria-label={say("search-messages")}
      aria-expanded={suggestions.length > 0}
      aria-controls="search-suggestions"
      aria-autocomplete="list"
      aria-activedescendant={at >= 0 && suggestions[at] ? `search-${at}` : undefined}
      autocomplete="off"
      spellcheck={false}
      placeholder={field.pills.value.length === 0 ? say("search-example") : ""}
      value={field.words.value}
      // Results are not covered by suggestions.
      onFocus={() => (field.isOpen.value = searching.peek() !== undefined)}
      onPointerDown={() => (field.isOpen.value = true)}
      onBlur={() => (field.isOpen.value = false)}
      onInput={(event) => field.typed(event.currentTarget)}
      onKeyDown={(event) => heed(event, field.pressed(event, suggestions))}
    />
  );
}
