// Mentions of users, groups and everyone.
import type { MentionedUser } from "../context.ts";
import { element, literal } from "../tree.ts";
import type { Passage } from "./patterns.ts";

/** Characters that may precede a mention or a channel link. */
export const BEFORE = String.raw`(?<![^\s'"({\[/<])`;

const USER = new RegExp(BEFORE + String.raw`@(_?)\*\*([^*]+)\*\*`, "g");
const GROUP = new RegExp(BEFORE + String.raw`@(_?)\*([^*]+)\*`, "g");
const STREAM_WILDCARDS = new Set(["all", "everyone", "channel", "stream"]);

export function userMentions(text: string, context: Passage): string {
  if (!text.includes("@")) return text;
  return text.replace(USER, (match, underscore: string, name: string) => {
    const silent = underscore === "_" || context.quoted;
    const { notifies } = context.context;
    if (name === "topic") {
      return topicWildcard(context, silent || notifies?.topic_wildcard === false);
    }
    if (STREAM_WILDCARDS.has(name)) {
      return streamWildcard(context, name, silent || notifies?.stream_wildcard === false);
    }
    const user = userOf(name, context);
    if (user === undefined) return match;
    const canNotify = user.is_active && notifies?.user(user.user_id) !== false;
    return userMention(context, user, silent || !canNotify);
  });
}

function userOf(mention: string, { context }: Passage): MentionedUser | undefined {
  const bar = /^([^]*)\|([0-9]{1,15})$/.exec(mention);
  if (bar === null) {
    const users = context.usersByName(mention);
    return users.find((user) => user.is_active) ?? users[0];
  }
  const user = context.userById(Number(bar[2]));
  return bar[1] === "" || bar[1] === user?.full_name ? user : undefined;
}

function userMention(context: Passage, user: MentionedUser, silent: boolean): string {
  if (!silent) context.findings.users.add(user.user_id);
  return mention(context, "user-mention", user.full_name, silent, {
    "data-user-id": String(user.user_id),
  });
}

function streamWildcard(context: Passage, name: string, silent: boolean): string {
  if (!silent) context.findings.stream_wildcard = true;
  return mention(context, "user-mention channel-wildcard-mention", name, silent, {
    "data-user-id": "*",
  });
}

function topicWildcard(context: Passage, silent: boolean): string {
  if (!silent) context.findings.topic_wildcard = true;
  return mention(context, "topic-mention", "topic", silent, {});
}

export function groupMentions(text: string, context: Passage): string {
  if (!text.includes("@")) return text;
  return text.replace(GROUP, (match, underscore: string, name: string) => {
    const group = context.context.groupByName(name);
    if (group === undefined) return match;
    const canNotify = !group.deactivated && context.context.notifies?.group(group.id) !== false;
    const silent = underscore === "_" || context.quoted || !canNotify;
    if (!silent) context.findings.groups.add(group.id);
    return mention(context, "user-group-mention", group.display_name, silent, {
      "data-user-group-id": String(group.id),
    });
  });
}

function mention(
  context: Passage,
  kind: string,
  name: string,
  silent: boolean,
  data: Record<string, string>,
): string {
  const attributes = { class: silent ? `${kind} silent` : kind, ...data };
  return context.placeholderFor(element("span", attributes, [literal(silent ? name : `@${name}`)]));
}
