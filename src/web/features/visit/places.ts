// Which views are open to who has no account, and which channels there are for them.
import { known } from "../../live.ts";
import type { State } from "../../state.ts";
import type { View } from "../../views.ts";
import type { KnownChannel } from "../channels/state.ts";

export const openChannels = ({ channels }: State): KnownChannel[] =>
  [...channels.channels.values()].sort((a, b) => a.row.name.localeCompare(b.row.name));

/** What messages of a channel are asked for by; a search is for members. */
const OPERATORS = ["channel", "topic", "near", "with"];

export type Shown =
  | { kind: "home" }
  | { kind: "members" }
  | { kind: "topics"; stream_id: number }
  | Extract<View, { kind: "messages" }>;

/** Of what is not open nothing is said, not even whether it is there. */
export function shownTo(view: View): Shown {
  const isOpen = (stream_id: number) => known()?.channels.channels.has(stream_id) ?? false;
  switch (view.kind) {
    case "home":
      return { kind: "home" };
    case "topics":
      return isOpen(view.stream_id) ? view : { kind: "members" };
    case "messages": {
      const { terms } = view;
      const isPlain = terms.every(
        ({ operator, negated }) => !negated && OPERATORS.includes(operator),
      );
      const channels = terms.filter(({ operator }) => operator === "channel");
      const isInOpen = channels.length === 1 && isOpen(Number(channels[0]!.operand));
      return isPlain && (isInOpen || terms.length === 0) ? view : { kind: "members" };
    }
    default:
      return { kind: "members" };
  }
}
