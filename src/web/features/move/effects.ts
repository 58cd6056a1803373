// The effect of a move: the number of messages, and who could not see them anymore.
import type { State } from "../../store/state.ts";
import type { Channel, KnownChannel } from "../channels/state.ts";
import { passesChannelSetting } from "../groups/permissions.ts";

export type MoveMode = "change_one" | "change_later" | "change_all";

/** A larger number of messages is not counted. */
export const COUNTED_MESSAGES_MAX = 250;

interface TopicCounts {
  /** Messages of the topic before this one and after it. */
  before: number;
  after: number;
  isWhole: boolean;
}

export function countOf(mode: MoveMode, { before, after, isWhole }: TopicCounts): string {
  if (mode === "change_one") return "1";
  const count = 1 + after + (mode === "change_all" ? before : 0);
  return isWhole ? `${count}` : `${count}+`;
}

/** Channels to which the user may post, by name; the current one first. */
export function channelsFor(state: State, from: number): Channel[] {
  const rows = [...state.channels.channels.values()].map(({ row }) => row);
  return rows
    .filter((row) => !row.is_archived)
    .filter(
      (row) => row.stream_id === from || passesChannelSetting(state, row, "can_send_message_group"),
    )
    .sort((a, b) => Number(b.stream_id === from) - Number(a.stream_id === from) || byName(a, b));
}

const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name);

/**
 * The number of readers who would lose access: for a private channel, users who are not subscribed;
 * for a public one, guests. undefined if unknown.
 */
export function countLosingAccess(
  from: KnownChannel,
  to: KnownChannel,
  isGuest: (user_id: number) => boolean,
): number | undefined {
  const { stream_id, invite_only, is_web_public } = to.row;
  if (from.row.stream_id === stream_id || is_web_public) return 0;
  if (!from.subscribers || !to.subscribers || from.isPartial || to.isPartial) {
    return invite_only ? undefined : 0;
  }
  const { subscribers } = to;
  const outside = [...from.subscribers].filter((id) => !subscribers.has(id));
  return (invite_only ? outside : outside.filter(isGuest)).length;
}
