// The field in which a visitor searches what is open to everyone, or one of its channels.
import { useEffect, useRef } from "preact/hooks";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, view } from "../../address.ts";
import { known } from "../../live.ts";
import { Icon } from "../../ui/icon.tsx";
import { say } from "../../words/words.ts";
import { queryOf, termsOf } from "../search/query.ts";

/** Focuses the field of the view, if it has one. */
let focus: (() => void) | undefined;
/** A view was left for its field. */
let isWanted = false;

/** From a conversation one goes to its channel, whose messages are searched there. */
export function searchAsVisitor(): void {
  if (focus) return focus();
  isWanted = true;
  const shown = view.peek();
  const terms = shown.kind === "messages" ? shown.terms : [];
  const channel = terms.find(({ operator }) => operator === "channel");
  const stream_id = Number(channel?.operand);
  const isOpen = known()?.channels.channels.has(stream_id) === true;
  go(isOpen ? { kind: "topics", stream_id } : { kind: "home" });
}

/** `terms`: what is searched already, or within what. */
export function VisitSearch({ terms }: { terms: readonly NarrowTerm[] }) {
  const input = useRef<HTMLInputElement>(null);
  const { pills, words } = queryOf(terms);
  useEffect(() => {
    const own = () => {
      input.current?.focus();
      input.current?.select();
    };
    focus = own;
    if (isWanted) own();
    isWanted = false;
    return () => {
      if (focus === own) focus = undefined;
    };
  }, []);
  useEffect(() => {
    if (input.current) input.current.value = words;
  }, [words]);
  const search = (typed: string) => {
    const wanted = termsOf({ pills, words: typed });
    if (wanted.length > pills.length) go({ kind: "messages", terms: wanted });
  };
  const label = say(pills.length === 0 ? "search-messages" : "search-here");
  return (
    <div class="col visit-search">
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
