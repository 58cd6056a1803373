// Whether messages in a channel must, may or cannot have a topic.

import type { Channel } from "../channels/state.ts";
import type { OrganizationFields } from "../organization/state.ts";

type TopicsPolicy = Exclude<Channel["topics_policy"], "inherit">;

export function topicsPolicy(
  { topics_policy }: Pick<Channel, "topics_policy">,
  fields: OrganizationFields,
): TopicsPolicy {
  if (topics_policy !== "inherit") return topics_policy;
  return fields.realm_topics_policy ?? "allow_empty_topic";
}
