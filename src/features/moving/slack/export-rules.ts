// The fields of a Slack export that an import reads; every one may be absent.

export interface SlackUser {
  id?: string;
  team_id?: string;
  name?: string;
  real_name?: string;
  deleted?: boolean;
  is_bot?: boolean;
  is_admin?: boolean;
  is_owner?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  profile?: { real_name?: string; display_name?: string; email?: string };
}

export interface SlackChannel {
  id?: string;
  name?: string;
  created?: number;
  is_archived?: boolean;
  members?: string[];
  purpose?: { value?: string };
  topic?: { value?: string };
}

export interface SlackFile {
  id?: string;
  name?: string;
  title?: string;
  mimetype?: string;
  size?: number;
  mode?: string;
  filetype?: string;
  url_private?: string;
  url_private_download?: string;
}

export interface SlackStyle {
  bold?: boolean;
  italic?: boolean;
  strike?: boolean;
  code?: boolean;
}

export interface SlackElement {
  type?: string;
  text?: string;
  url?: string;
  name?: string;
  user_id?: string;
  usergroup_id?: string;
  channel_id?: string;
  timestamp?: number;
  fallback?: string;
  style?: unknown;
  indent?: number;
  offset?: number;
  elements?: SlackElement[];
}

export interface SlackBlock {
  type?: string;
  text?: { text?: string };
  fields?: { text?: string }[];
  elements?: SlackElement[];
  rows?: SlackBlock[][];
  image_url?: string;
  alt_text?: string;
}

export interface SlackCard {
  fallback?: string;
  pretext?: string;
  title?: string;
  title_link?: string;
  text?: string;
  from_url?: string;
  author_name?: string;
  image_url?: string;
  fields?: { title?: string; value?: string }[];
  blocks?: SlackBlock[];
}

export interface SlackMessage {
  type?: string;
  subtype?: string;
  ts?: string;
  user?: string;
  bot_id?: string;
  username?: string;
  text?: string;
  blocks?: SlackBlock[];
  attachments?: SlackCard[];
  files?: SlackFile[];
  edited?: { ts?: string };
  reactions?: { name?: string; users?: string[] }[];
  thread_ts?: string;
  reply_count?: number;
  root?: { text?: string };
}

/** Notices that Slack writes by itself; they are counted and left out. */
export const NOTICES: ReadonlySet<string> = new Set([
  ...["channel_join", "channel_leave", "channel_name", "channel_topic", "channel_purpose"],
  ...["channel_archive", "channel_unarchive", "channel_convert_to_private"],
  ...["channel_posting_permissions", "channel_canvas_updated", "group_join", "group_leave"],
  ...["group_name", "group_topic", "group_purpose", "group_archive", "group_unarchive"],
  ...["pinned_item", "unpinned_item", "bot_add", "bot_remove", "bot_enable", "bot_disable"],
  ...["reminder_add", "app_conversation_join", "file_mention"],
]);

/** Microseconds count: two messages of a second differ by them. */
export function secondsOf(ts: string | undefined): number {
  const [, seconds = ""] = /^(\d{9,11})(?:\.\d+)?$/.exec(ts ?? "") ?? [];
  return Number(seconds);
}

export function compareTs(a: string, b: string): number {
  const [whole, rest] = [secondsOf(a) - secondsOf(b), Number(`0.${a.split(".")[1] ?? 0}`)];
  return whole || rest - Number(`0.${b.split(".")[1] ?? 0}`);
}

/** Key of the sender: a user, or a bot that is in no list of users. */
export function senderKeyOf({ user, bot_id, username }: SlackMessage): string {
  if (user) return user.slice(0, 100);
  if (bot_id) return bot_id.slice(0, 100);
  return username ? `bot:${username.slice(0, 100)}` : "bot:";
}
