// Whether a message in a channel needs a topic's name, may have one, or may not.

export type TopicsPolicy = "allow_empty_topic" | "disable_empty_topic" | "empty_topic_only";

export function topicsPolicy(
  { topics_policy }: { topics_policy: string },
  fields: Readonly<Record<string, unknown>>,
): TopicsPolicy {
  const own = topics_policy === "inherit" ? fields["realm_topics_policy"] : topics_policy;
  return (own ?? "allow_empty_topic") as TopicsPolicy;
}
