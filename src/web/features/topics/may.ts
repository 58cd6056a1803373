// Whether anything may be done in a channel, and whether the person may resolve its topics.
import { now } from "../../live.ts";
import { isIn } from "../groups/may.ts";
import type { GroupSetting } from "../groups/state.ts";

/**
 * What is in an archived channel stays as it is: nobody follows, reacts, votes or changes it, nor
 * anything in one that is out of reach.
 */
export function isOpen(stream_id: number | undefined, { channels } = now()): boolean {
  const row = channels.channels.get(stream_id ?? 0)?.row;
  return stream_id === undefined || (row !== undefined && row.is_archived !== true);
}

/** By a right of the organization or of the channel; the server looks at the same two. */
export function mayResolve(stream_id: number, state = now()): boolean {
  const row = state.channels.channels.get(stream_id)?.row;
  const holds = (setting: unknown) =>
    setting !== undefined && isIn(state.groups, setting as GroupSetting, state.people.me);
  return (
    row?.is_archived === false &&
    (holds(state.organization.fields["realm_can_resolve_topics_group"]) ||
      holds(row["can_resolve_topics_group"]))
  );
}
