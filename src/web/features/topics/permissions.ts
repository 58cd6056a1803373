// Whether a channel can be changed, and whether the user may resolve its topics.
import { getState } from "../../store/store.ts";
import { isMemberOf } from "../groups/selectors.ts";
import type { GroupSetting } from "../groups/state.ts";

/**
 * Content of archived or inaccessible channels cannot be followed, edited, voted on or reacted to.
 */
export function isOpen(stream_id: number | undefined, { channels } = getState()): boolean {
  const row = channels.channels.get(stream_id ?? 0)?.row;
  return stream_id === undefined || (row !== undefined && row.is_archived !== true);
}

/** Permission of the organization or the channel, as on the server. */
export function canResolve(stream_id: number, state = getState()): boolean {
  const row = state.channels.channels.get(stream_id)?.row;
  const hasPermission = (setting: GroupSetting | undefined) =>
    setting !== undefined && isMemberOf(state.groups, setting, state.people.me);
  return (
    row?.is_archived === false &&
    (hasPermission(state.organization.fields.realm_can_resolve_topics_group) ||
      hasPermission(row.can_resolve_topics_group))
  );
}
