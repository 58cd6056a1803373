// The records that readers of archives yield, with the fields of Slack; all are optional.

export interface SourceUser {
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
  profile?: { real_name?: string; display_name?: string; email?: string; bot_id?: string };
  /** Entry of the archive with the user's picture. */
  picture?: string;
  /** A name such as Europe/Berlin. */
  timezone?: string;
  /** A hash of the password, made with bcrypt. */
  password_digest?: string;
  /** When the user joined, in milliseconds. */
  joined_ms?: number;
  /** The location of the user's record in the archive, for reports. */
  location?: string;
}

export interface SourceChannel {
  id?: string;
  name?: string;
  created?: number;
  is_archived?: boolean;
  members?: string[];
  purpose?: { value?: string };
  topic?: { value?: string };
  /** Messages have the type C, and their `ts` as the id. */
  pins?: { id?: string; type?: string }[];
}

export interface SourceFile {
  id?: string;
  name?: string;
  title?: string;
  mimetype?: string;
  size?: number;
  mode?: string;
  /** The file is stored by another service, such as Google Drive. */
  is_external?: boolean;
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
  /** A text, or an object with one. */
  text?: unknown;
  title?: unknown;
  url?: string;
  image_url?: string;
  alt_text?: string;
  name?: string;
  user_id?: string;
  usergroup_id?: string;
  channel_id?: string;
  timestamp?: number;
  fallback?: string;
  /** Code points of an emoji in hexadecimal digits, joined by "-". */
  unicode?: string;
  /** A color. */
  value?: string;
  style?: unknown;
  indent?: number;
  offset?: number;
  /** 1 if the element is part of a quote. */
  border?: number;
  elements?: SlackElement[];
}

export interface SlackBlock extends SlackElement {
  description?: unknown;
  fields?: { text?: string }[];
  rows?: SlackBlock[][];
  accessory?: SlackElement;
  title_url?: string;
  video_url?: string;
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
  files?: SourceFile[];
}

export interface SourceMessage {
  type?: string;
  subtype?: string;
  ts?: string;
  user?: string;
  bot_id?: string;
  username?: string;
  text?: string;
  blocks?: SlackBlock[];
  attachments?: SlackCard[];
  files?: SourceFile[];
  /** The file of a message, and who commented on it, in exports from before 2018. */
  file?: SourceFile;
  comment?: { user?: string };
  /** Names of senders who may not be in the list of users. */
  bot_profile?: { name?: string };
  user_profile?: { name?: string; real_name?: string; display_name?: string };
  edited?: { ts?: string };
  /** `letters`: the emoji itself, if it is a Unicode emoji. */
  reactions?: { name?: string; letters?: string; users?: string[]; count?: number }[];
  thread_ts?: string;
  reply_count?: number;
  /** Older exports list the replies instead of counting them. */
  replies?: { ts?: string }[];
  root?: { text?: string };
  /** Markdown with marked users and channels; replaces `text`. */
  markdown?: string;
  /** Keys of users who starred the message. */
  starred_by?: string[];
  /** Pinned in its channel. */
  is_pinned?: boolean;
  /** Name of the thread, if the source has one; its messages are a topic, however few. */
  thread_name?: string;
  /** Identifies the message in its conversation; by default, `ts` does. */
  key?: string;
  /** Keys of users who follow the thread that the message started. */
  followed_by?: string[];
  /** Key of the message that this one answers, in the same conversation. */
  reply_to?: string;
}

/** Notices that Slack posts automatically; they are counted but not imported. */
export const NOTICES: ReadonlySet<string> = new Set([
  ...["channel_join", "channel_leave", "channel_name", "channel_topic", "channel_purpose"],
  ...["channel_archive", "channel_unarchive", "channel_convert_to_private"],
  ...["channel_posting_permissions", "channel_canvas_updated", "group_join", "group_leave"],
  ...["group_name", "group_topic", "group_purpose", "group_archive", "group_unarchive"],
  ...["pinned_item", "unpinned_item", "bot_add", "bot_remove", "bot_enable", "bot_disable"],
  ...["reminder_add", "app_conversation_join", "file_mention"],
]);

/** Seconds since 1970; 0 if there are none, or if they are after 2286. */
export function secondsOf(ts: string | undefined): number {
  const [, seconds = ""] = /^(\d{9,10})(?:\.\d{1,20})?$/.exec(ts ?? "") ?? [];
  return Number(seconds);
}

/** Compares microseconds, too, because messages of the same second differ only in them. */
export function compareTs(a: string, b: string): number {
  const [wholeSeconds, rest] = [secondsOf(a) - secondsOf(b), Number(`0.${a.split(".")[1] ?? 0}`)];
  return wholeSeconds || rest - Number(`0.${b.split(".")[1] ?? 0}`);
}

/** Maximum length of the key of a user. */
export const USER_KEY_LENGTH_MAX = 100;

/** The key of a user whom the archive identifies by an id; like Slack's, it starts with a U. */
export const keyOfUser = (id: string) => `U:${cutKey(id, 90)}`;

/** Keys are stored as UTF-8, which cannot encode half of a surrogate pair. */
const cutKey = (id: string, length = USER_KEY_LENGTH_MAX) => id.slice(0, length).toWellFormed();

/** Key of the sender: a user, or a bot that is not in the list of users. */
export function senderKeyOf({ user, bot_id, username }: SourceMessage): string {
  if (user) return cutKey(user);
  if (bot_id) return cutKey(bot_id);
  return username ? `bot:${cutKey(username)}` : "bot:";
}
