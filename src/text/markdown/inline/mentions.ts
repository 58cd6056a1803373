// Mentions of users, groups and everyone.
import type { MentionedUser } from "../context.ts";
import { element, literal } from "../tree.ts";
import type { Passage } from "./patterns.ts";

/** Characters that may precede a mention or a channel link. */
export const BEFORE = String.raw`(?<![^\s'"({\[/<])`;

const USER = new RegExp(BEFORE + String.raw`@(_?)\*\*([^*]+)\*\*`, "g");
const GROUP = new RegExp(BEFORE + String.raw`@(_?)\*([^*]+)\*`, "g");
const STREAM_WILDCARDS = new Set(["all", "everyone", "channel", "stream"]);

export function userMentions(text: string, passage: Passage): string {
  if (!text.includes("@")) return text;
  return text.replace(USER, (whole, underscore: string, name: string) => {
    const silent = underscore === "_" || passage.quoted;
    const { notifies } = passage.context;
    if (name === "topic") {
      return topicWildcard(passage, silent || notifies?.topic_wildcard === false);
    }
    if (STREAM_WILDCARDS.has(name)) {
      return streamWildcard(passage, name, silent || notifies?.stream_wildcard === false);
    }
    const user = userOf(name, passage);
    if (user === undefined) return whole;
    const mayNotify = user.is_active && notifies?.user(user.user_id) !== false;
    return userMention(passage, user, silent || !mayNotify);
  });
}

function userOf(written: string, { context }: Passage): MentionedUser | undefined {
  const bar = /^([^]*)\|([0-9]{1,15})$/.exec(written);
  if (bar === null) {
    const users = context.usersByName(written);
    return users.find((user) => user.is_active) ?? users[0];
  }
  const user = context.userById(Number(bar[2]));
  return bar[1] === "" || bar[1] === user?.full_name ? user : undefined;
}

function userMention(passage: Passage, user: MentionedUser, silent: boolean): string {
  if (!silent) passage.findings.users.add(user.user_id);
  return mention(passage, "user-mention", user.full_name, silent, {
    "data-user-id": String(user.user_id),
  });
}

function streamWildcard(passage: Passage, name: string, silent: boolean): string {
  if (!silent) passage.findings.stream_wildcard = true;
  return mention(passage, "user-mention channel-wildcard-mention", name, silent, {
    "data-user-id": "*",
  });
}

function topicWildcard(passage: Passage, silent: boolean): string {
  if (!silent) passage.findings.topic_wildcard = true;
  return mention(passage, "topic-mention", "topic", silent, {});
}

export function groupMentions(text: string, passage: Passage): string {
  if (!text.includes("@")) return text;
  return text.replace(GROUP, (whole, underscore: string, name: string) => {
    const group = passage.context.groupByName(name);
    if (group === undefined) return whole;
    const mayNotify = !group.deactivated && passage.context.notifies?.group(group.id) !== false;
    const silent = underscore === "_" || passage.quoted || !mayNotify;
    if (!silent) passage.findings.groups.add(group.id);
    return mention(passage, "user-group-mention", group.display_name, silent, {
      "data-user-group-id": String(group.id),
    });
  });
}

function mention(
  passage: Passage,
  kind: string,
  name: string,
  silent: boolean,
  data: Record<string, string>,
): string {
  const attributes = { class: silent ? `${kind} silent` : kind, ...data };
  return passage.putAside(element("span", attributes, [literal(silent ? name : `@${name}`)]));
}
