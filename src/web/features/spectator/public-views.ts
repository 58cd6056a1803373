// The views and channels that are available without an account.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { maybeState } from "../../store/store.ts";
import type { State } from "../../store/state.ts";
import type { View } from "../../views.ts";
import type { KnownChannel } from "../channels/state.ts";

export const openChannels = ({ channels }: State): KnownChannel[] =>
  [...channels.channels.values()].sort((a, b) => a.row.name.localeCompare(b.row.name));

/** Operators for messages of a channel. */
const OPERATORS = ["channel", "topic", "near", "with"];
/** Other operators that spectators can use. */
const SEARCH_OPERATORS = ["search", "sender", "has"];

/** A search by words or attachments, which the server limits to public content. */
export const isSearch = (terms: readonly NarrowTerm[]): boolean =>
  terms.some(({ operator }) => SEARCH_OPERATORS.includes(operator));

type SpectatorView =
  | { kind: "home" }
  | { kind: "members" }
  | { kind: "topics"; stream_id: number }
  | Extract<View, { kind: "messages" }>;

/** Content that is not public is not distinguished from content that does not exist. */
export function spectatorViewOf(view: View): SpectatorView {
  const isOpen = (stream_id: number) => maybeState()?.channels.channels.has(stream_id) ?? false;
  switch (view.kind) {
    case "home":
      return { kind: "home" };
    case "topics":
      return isOpen(view.stream_id) ? view : { kind: "members" };
    case "messages": {
      const { terms } = view;
      const operators = isSearch(terms) ? [...OPERATORS, ...SEARCH_OPERATORS] : OPERATORS;
      const isPlain = terms.every(
        ({ operator, negated }) => !negated && operators.includes(operator),
      );
      const channels = terms.filter(({ operator }) => operator === "channel");
      const [channel, ...others] = channels;
      const isInOpen = others.length === 0 && isOpen(Number(channel?.operand));
      const isOfAll = channels.length === 0 && (terms.length === 0 || isSearch(terms));
      return isPlain && (isInOpen || isOfAll) ? view : { kind: "members" };
    }
    default:
      return { kind: "members" };
  }
}
