// Permission to edit topic notes: the same as to post in the channel.
import { getState } from "../../store/store.ts";
import { isMemberOf } from "../groups/selectors.ts";

export function canWriteNote(stream_id: number): boolean {
  const state = getState();
  const row = state.channels.channels.get(stream_id)?.row;
  if (!row || row.is_archived) return false;
  return isMemberOf(state.groups, row.can_send_message_group, state.people.me);
}
