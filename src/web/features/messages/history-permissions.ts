// Whether the user can see the edit history of a message.
import type { Message } from "../../contract/message.ts";
import type { State } from "../../store/state.ts";

export function canSeeHistory(
  { organization }: State,
  { last_edit_timestamp, last_moved_timestamp }: Message,
): boolean {
  const policy = organization.fields["realm_message_edit_history_visibility_policy"];
  if (policy === "none") return false;
  if (last_moved_timestamp !== undefined) return true;
  return policy === "all" && last_edit_timestamp !== undefined;
}
