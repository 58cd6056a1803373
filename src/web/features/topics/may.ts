// Whether the person may resolve topics, and delete them whole.
import { ADMINISTRATOR } from "../../../contract/roles.ts";
import { now } from "../../live.ts";
import { isIn, roleOf } from "../groups/may.ts";
import type { GroupSetting } from "../groups/state.ts";

/** By a right of the organization or of the channel; the server looks at the same two. */
export function mayResolve(stream_id: number): boolean {
  const { people, groups, organization, channels } = now();
  const settings = [
    organization.fields["realm_can_resolve_topics_group"],
    channels.channels.get(stream_id)?.row["can_resolve_topics_group"],
  ] as (GroupSetting | undefined)[];
  return settings.some((setting) => setting !== undefined && isIn(groups, setting, people.me));
}

/** By their role alone, whoever may delete single messages. */
export const mayDeleteTopic = (stream_id: number): boolean =>
  roleOf(now()) <= ADMINISTRATOR &&
  now().channels.channels.get(stream_id)?.row.is_archived === false;
