// Record types of messages, their files and related objects.
import type { LinkedPage } from "../text/linked-page.ts";
import type { Seconds } from "./records.ts";

/** A message that is pinned in its channel. */
export interface MessagePin {
  message_id: number;
  stream_id: number;
  pinned_by: number;
  pinned_at: Seconds;
}

/** The current note of a topic. */
export interface TopicNote {
  topic_id: number;
  content: string;
  /** null: a plain paragraph. */
  rendered_content: string | null;
  version: number;
  updated_by: number;
  updated_at: Seconds;
}

/** `content`: "" where the note was removed. */
export interface TopicNoteVersion extends Omit<TopicNote, "rendered_content"> {
  /** Number of the event of this version. Versions of earlier releases have none. */
  event_id?: number;
}

/** A rename of a whole topic, which does not change the records of its messages. */
export interface TopicRename {
  topic_id: number;
  rename_id: number;
  /** The newest message of the topic at that time. */
  last_id: number;
  user_id: number;
  timestamp: Seconds;
  /** The previous name, as used by messages without a spelling of their own. */
  prev_topic: string;
  topic: string;
}

/** The messages of one chunk that were moved into their channel. */
export interface MovedMessages {
  chunk: number;
  move_paths: MovePath[];
}

/** The latest send time of messages of a chunk whose sender set the time. */
export interface BackdatedTimes {
  chunk: number;
  latest: Seconds;
}

/**
 * The channel that the messages were sent to, followed by each destination channel with the event
 * of the move.
 */
export interface MovePath {
  path: number[];
  /** A chunk of a bitmap. */
  ids: Uint8Array;
}

/** The progress of a move that needs several transactions. */
export interface UnfinishedMove {
  move_id: number;
  user_id: number;
  message_id: number;
  propagate_mode: "change_one" | "change_later" | "change_all";
  timestamp: Seconds;
  from_topic_id: number;
  to_topic_id: number;
  prev_stream: number;
  prev_topic: string;
  stream_id: number;
  topic: string;
  is_toggle: boolean;
  is_whole: boolean;
  was_empty: boolean;
  notify_old: boolean;
  notify_new: boolean;
  /** Messages with higher ids, up to `last_id`, are not moved yet. */
  after_id: number;
  last_id: number;
  first_moved_id: number;
  moved: number;
  /** The job that continues the move after a crash. */
  job_at: number;
  job_id: number;
}

/** A direct conversation. Each set of users has at most one. */
export interface Conversation {
  recipient_id: number;
  /** Ascending, including the sender. */
  user_ids: number[];
  last_id: number;
}

export interface Message {
  id: number;
  sender_id: number;
  timestamp: Seconds;
  /** Channel messages: channel and topic. Direct messages: 0 for both. */
  stream_id: number;
  topic_id: number;
  /** Id of the channel's or conversation's recipient. */
  recipient_id: number;
  content: string;
  /** null if it is the content in a single plain paragraph. */
  rendered_content: string | null;
  client: string;
  /** `MESSAGE_…` bits of features/messages/rules.ts. */
  bits: number;
  mentioned_user_ids: number[] | null;
  mentioned_group_ids: number[] | null;
  reactions: Reaction[] | null;
  submessages: Submessage[] | null;
  edit_history: EditHistoryEntry[] | null;
  last_edit_timestamp: Seconds | null;
  last_moved_timestamp: Seconds | null;
  /** Topic renames up to this one are in `edit_history` or do not concern the message. */
  renames_seen: number;
  /** The topic name in this message's own spelling, if it differs from the topic's; else null. */
  spelling: string | null;
}

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

export interface Submessage {
  id: number;
  message_id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export interface EditHistoryEntry {
  user_id: number | null;
  timestamp: Seconds;
  prev_content?: string;
  prev_rendered_content?: string;
  prev_stream?: number;
  stream?: number;
  prev_topic?: string;
  topic?: string;
}

/** In chunks below `floor`, the user has read every received message. */
export interface ReadFloor {
  user_id: number;
  floor: number;
}

/** A deleted message, kept for as long as the operator configures. */
export interface Archived {
  message_id: number;
  deleted: Seconds;
  /** null if the retention period ended. */
  deleted_by: number | null;
  message: Message;
  /** The name of its topic, which may be deleted too. */
  topic: string;
}

/** A segment of the search index: the terms of 256 · 16^level messages. */
export interface SearchSegment {
  level: number;
  number: number;
  /**
   * Terms up to this one are in the segment's own pages, later ones still in its source segments;
   * null if all are in its pages.
   */
  until: string | null;
  /** The first term of each page, in order. */
  firsts: string[];
}

/** Terms of a segment starting with `first`, with their messages. */
export interface SearchPage {
  level: number;
  number: number;
  first: string;
  terms: string;
  lists: Uint8Array;
}

/** Terms of a large segment starting with `first`, one per line, for searching parts of words. */
export interface SearchWords {
  level: number;
  number: number;
  first: string;
  lines: string;
}

/**
 * For each row of a segment's terms: its first term, and a filter of the word parts that it may
 * contain.
 */
export interface SearchParts {
  level: number;
  number: number;
  masks: Uint8Array;
  firsts: string[];
}

/** The terms of a message that is in no segment yet. They may repeat. */
export interface FreshTerms {
  readonly id: number;
  readonly terms: readonly string[];
  /** The words in UTF-8, each with a space before and after it. */
  readonly line: Uint8Array;
}

export interface Draft {
  user_id: number;
  draft_id: number;
  /** "" if the draft has no recipient. */
  type: "" | "stream" | "private";
  /**
   * One channel id, or user ids without the author. The author's own id stands for a note to self.
   */
  to: number[];
  topic: string;
  content: string;
  timestamp: Seconds;
}

export interface SavedSnippet {
  user_id: number;
  saved_snippet_id: number;
  title: string;
  content: string;
  date_created: Seconds;
}

/** A scheduled message. */
export interface ScheduledMessage {
  user_id: number;
  scheduled_message_id: number;
  type: "stream" | "private";
  /**
   * One channel id, or user ids without the author. The author's own id stands for a note to self.
   */
  to: number[];
  topic: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  read_by_sender: boolean;
  client: string;
  failed: boolean;
  /** The job that sends it. Other jobs are outdated. */
  job_at: number;
  job_id: number;
}

/** A reminder of a message. */
export interface Reminder {
  user_id: number;
  reminder_id: number;
  reminder_target_message_id: number;
  note: string;
  /** The text of the reminder if the user can no longer read the message. */
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  failed: boolean;
  /** The job that delivers it. */
  job_at: number;
  job_id: number;
}

/** The message that a request created, found again by a retry. The client chooses `token`. */
export interface Send {
  user_id: number;
  token: string;
  /** The id of a scheduled message if the request scheduled it. */
  message_id: number;
  timestamp: Seconds;
}

/** An uploaded file. */
export interface Attachment {
  id: number;
  user_id: number;
  /** Path in its URL: the realm, two hex digits, a secret, and the sanitized name. */
  path_id: string;
  name: string;
  size: number;
  content_type: string;
  create_time: Seconds;
  /** Dimensions of an image that can have thumbnails. */
  image: { width: number; height: number; animated: boolean } | null;
  /** When the last message that links to the file was removed; null if one exists. */
  unused_since: Seconds | null;
  /** SHA-256 of the content in hex. Files of earlier versions have none. */
  sha256?: string;
}

/** A link from a message to a file. Readers of the message can read the file. */
export interface AttachmentUse {
  attachment_id: number;
  message_id: number;
}

/** A file that the note of a topic links to. */
export interface NoteAttachmentUse {
  attachment_id: number;
  topic_id: number;
}

/** Total size of all attachments. */
export interface UploadSpace {
  realm_id: number;
  bytes: number;
}

/** A resumable upload. The number of received bytes is the size of its file. */
export interface ResumableUpload {
  path_id: string;
  user_id: number;
  name: string;
  content_type: string;
  size: number;
  created: Seconds;
}

/** Metadata of a linked web page, for link previews. */
export interface LinkedPageRow {
  /** SHA-256 of its URL, in base64url. */
  hash: string;
  expires: Seconds;
  /** null if there is nothing to show or the page could not be read. */
  page: LinkedPage | null;
}
