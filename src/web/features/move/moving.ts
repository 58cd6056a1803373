// The effect of a move: the number of messages, and who could not see them anymore.
import type { State } from "../../state.ts";
import type { Channel, KnownChannel } from "../channels/state.ts";
import { mayIn } from "../groups/may.ts";

export type Mode = "change_one" | "change_later" | "change_all";

/** More messages than these are not counted. */
export const COUNTED_MAX = 250;

interface Around {
  /** Messages of the topic before this one and after it. */
  before: number;
  after: number;
  isWhole: boolean;
}

export function countOf(mode: Mode, { before, after, isWhole }: Around): string {
  if (mode === "change_one") return "1";
  const count = 1 + after + (mode === "change_all" ? before : 0);
  return isWhole ? `${count}` : `${count}+`;
}

/** Channels that one may write to, by name; the present one first. */
export function channelsFor(state: State, from: number): Channel[] {
  const rows = [...state.channels.channels.values()].map(({ row }) => row);
  return rows
    .filter((row) => !row.is_archived)
    .filter((row) => row.stream_id === from || mayIn(state, row, "can_send_message_group"))
    .sort((a, b) => Number(b.stream_id === from) - Number(a.stream_id === from) || byName(a, b));
}

const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name);

/**
 * How many of the readers would lose sight: of a private channel, all who are not in it; of a
 * public one, the guests. Undefined: nobody can say.
 */
export function blindedBy(
  from: KnownChannel,
  to: KnownChannel,
  isGuest: (user_id: number) => boolean,
): number | undefined {
  const { stream_id, invite_only, is_web_public } = to.row;
  if (from.row.stream_id === stream_id || is_web_public) return 0;
  if (!from.subscribers || !to.subscribers || from.isPartial || to.isPartial) {
    return invite_only ? undefined : 0;
  }
  const outside = [...from.subscribers].filter((id) => !to.subscribers!.has(id));
  return (invite_only ? outside : outside.filter(isGuest)).length;
}
