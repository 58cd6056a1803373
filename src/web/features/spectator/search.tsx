// The field in which spectators search public channels.
import { useEffect, useRef } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../store/address.ts";
import { maybeState } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { queryOf, termsOf } from "../search/query-rules.ts";

/** Focuses the field of the view, if it has one. */
let focus: (() => void) | undefined;
/** The user left a view to use its search field. */
let isWanted = false;

/** In a conversation, the search covers its channel. */
export function searchAsVisitor(): void {
  if (focus) return focus();
  isWanted = true;
  const currentView = view.peek();
  const terms = currentView.kind === "messages" ? currentView.terms : [];
  const channel = terms.find(({ operator }) => operator === "channel");
  const stream_id = Number(channel?.operand);
  const isOpen = maybeState()?.channels.channels.has(stream_id) === true;
  go(isOpen ? { kind: "topics", stream_id } : { kind: "home" });
}

/** `terms`: the current search, or the channel to search in. */
export function SpectatorSearch({ terms }: { terms: readonly NarrowTerm[] }) {
  const input = useRef<HTMLInputElement>(null);
  const { pills, text } = queryOf(terms);
  useEffect(() => {
    const openOwnField = () => {
      input.current?.focus();
      input.current?.select();
    };
    focus = openOwnField;
    if (isWanted) openOwnField();
    isWanted = false;
    return () => {
      if (focus === openOwnField) focus = undefined;
    };
  }, []);
  useEffect(() => {
    if (input.current) input.current.value = text;
  }, [text]);
  const search = (text: string) => {
    const terms = termsOf({ pills, text });
    if (terms.length > pills.length) go({ kind: "messages", terms });
  };
  const label = t(pills.length === 0 ? "search-messages" : "search-here");
  return (
    <div class="col spectator-search">
      <div class="search-field" role="search">
        <Icon name="search" size={18} />
        <input
          ref={input}
          type="text"
          inputMode="search"
          enterKeyHint="search"
          autocomplete="off"
          aria-label={label}
          placeholder={label}
          onKeyDown={(event) => {
            if (event.key === "Enter") search(event.currentTarget.value);
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </div>
    </div>
  );
}
