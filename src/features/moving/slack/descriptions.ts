// Converts the purposes and topics of Slack's channels to Markdown with the names of users.
import { markdownOf } from "../source/mrkdwn.ts";
import type { SourceUser } from "../source/records-rules.ts";
import type { Conversation } from "../source/workspace.ts";

/** Descriptions mention nobody, and readers must not learn the names of private channels. */
export function withDescriptions(
  conversations: readonly Conversation[],
  users: readonly SourceUser[],
): Conversation[] {
  const names = new Map(
    users.map(({ id, name, real_name, profile }) => {
      return [id, profile?.display_name || profile?.real_name || real_name || name];
    }),
  );
  const channels = new Map(conversations.map((channel) => [channel.id, channel]));
  return conversations.map((conversation) => {
    const channel = (id: string, label?: string) => {
      const target = channels.get(id);
      const isHidden = target?.kind === "private" && target !== conversation;
      return isHidden ? "#private channel" : `#${label ?? target?.name ?? id}`;
    };
    const user = (id: string, label?: string) => `@${names.get(id) ?? label ?? id}`;
    const described = ({ value = "" } = {}) => ({
      value: markdownOf(value, { user, channel }).replaceAll("@**all**", "@all"),
    });
    const { purpose, topic } = conversation;
    return {
      ...conversation,
      ...(purpose && { purpose: described(purpose) }),
      ...(topic && { topic: described(topic) }),
    };
  });
}
