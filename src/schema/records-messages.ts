// What a record holds of messages, their files, and what is done with them.
import type { LinkedPage } from "../text/linked-page.ts";
import type { Seconds } from "./records.ts";

/** A topic got another name as a whole, which leaves the records of its messages alone. */
export interface TopicRename {
  topic_id: number;
  rename_id: number;
  /** The newest message that was in it then. */
  last_id: number;
  user_id: number;
  timestamp: Seconds;
  /** As those of its messages spelled it that had no spelling of their own. */
  prev_topic: string;
  topic: string;
}

/** The messages of one chunk that came into their channel by a move. */
export interface MovedMessages {
  chunk: number;
  move_paths: MovePath[];
}

/** Of the messages of a chunk whose sender said when they were sent: no later time was said. */
export interface BackdatedTimes {
  chunk: number;
  latest: Seconds;
}

/** The channel that the messages were sent to, then each channel with the event of the move. */
export interface MovePath {
  path: number[];
  /** A chunk of a bitmap. */
  ids: Uint8Array;
}

/** A move of more messages than one transaction takes, as far as it is. */
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
  /** The messages with greater ids are still to be moved, up to `last_id`. */
  after_id: number;
  last_id: number;
  first_moved_id: number;
  moved: number;
  /** The job that goes on with it after a crash. */
  job_at: number;
  job_id: number;
}

/** A direct conversation: one per set of people, found by that set. */
export interface Conversation {
  recipient_id: number;
  /** Ascending, with the sender. */
  user_ids: number[];
  last_id: number;
}

export interface Message {
  id: number;
  sender_id: number;
  timestamp: Seconds;
  /** Channel messages: channel and topic. Direct messages: both 0. */
  stream_id: number;
  topic_id: number;
  /** Of the channel or of the conversation. */
  recipient_id: number;
  content: string;
  /** null where it is the content in one plain paragraph. */
  rendered_content: string | null;
  client: string;
  /** A set of `MESSAGE_…` bits of features/messages/rules.ts. */
  bits: number;
  mentioned_user_ids: number[] | null;
  mentioned_group_ids: number[] | null;
  reactions: Reaction[] | null;
  submessages: Submessage[] | null;
  edit_history: EditHistoryEntry[] | null;
  last_edit_timestamp: Seconds | null;
  last_moved_timestamp: Seconds | null;
  /** Of the renames of its topic, those up to this one are in `edit_history`, or not its own. */
  renames_seen: number;
  /** Its topic as it spells it, where that is not as most of the topic do; else null. */
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

/** Below the chunk `floor`, everything that the person received is read. */
export interface ReadFloor {
  user_id: number;
  floor: number;
}

/** A message that was deleted, kept for as long as the operator wants. */
export interface Archived {
  message_id: number;
  deleted: Seconds;
  /** null: its time was over. */
  deleted_by: number | null;
  message: Message;
  /** The name of its topic, which may be gone too. */
  topic: string;
}

/** A part of the search index: the terms of 256 · 16^level messages. */
export interface SearchSegment {
  level: number;
  number: number;
  /** Up to this term its own pages have them, the rest is where it is made of; null: all. */
  until: string | null;
  /** Its pages, by the terms that they begin with, in order. */
  firsts: string[];
}

/** Terms of a segment, from `first` on, with their messages. */
export interface SearchPage {
  level: number;
  number: number;
  first: string;
  terms: string;
  lists: Uint8Array;
}

/** The terms of a large segment from `first` on, in lines, to find parts of words in. */
export interface SearchWords {
  level: number;
  number: number;
  first: string;
  lines: string;
}

/** Of the rows of a segment's terms: what each begins with, and which may have which part. */
export interface SearchParts {
  level: number;
  number: number;
  masks: Uint8Array;
  firsts: string[];
}

/** The terms of a message that no segment has yet, with a space before and after each. */
export interface FreshTerms {
  id: number;
  terms: Uint8Array;
}

export interface Draft {
  user_id: number;
  draft_id: number;
  /** "" while it says nobody whom it is for. */
  type: "" | "stream" | "private";
  /** One channel; or people without the author, who stands for a note to self. */
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

/** A message that sends itself when its time comes. */
export interface ScheduledMessage {
  user_id: number;
  scheduled_message_id: number;
  type: "stream" | "private";
  /** One channel; or people without the author, who stands for a note to self. */
  to: number[];
  topic: string;
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  read_by_sender: boolean;
  client: string;
  failed: boolean;
  /** The job that sends it: any other one came before a change. */
  job_at: number;
  job_id: number;
}

/** A person wants to be reminded of a message. */
export interface Reminder {
  user_id: number;
  reminder_id: number;
  reminder_target_message_id: number;
  note: string;
  /** What the reminder says if the message can no longer be read then. */
  content: string;
  rendered_content: string;
  scheduled_delivery_timestamp: Seconds;
  failed: boolean;
  /** The job that delivers it. */
  job_at: number;
  job_id: number;
}

/** The message that a send made, found again by a retry. `token` is of the client's choosing. */
export interface Send {
  user_id: number;
  token: string;
  message_id: number;
  timestamp: Seconds;
}

/** A file that somebody uploaded. */
export interface Attachment {
  id: number;
  user_id: number;
  /** Its address: the realm, two hex digits, a secret, and the name as addresses can have it. */
  path_id: string;
  name: string;
  size: number;
  content_type: string;
  create_time: Seconds;
  /** Of a picture that can be shown smaller. */
  image: { width: number; height: number; animated: boolean } | null;
  /** Since when no message links to it; null while one does. */
  unused_since: Seconds | null;
  /** Of its bytes, in hexadecimal digits; files of earlier versions have none. */
  sha256?: string;
}

/** A message links to a file, which its readers may read for that. */
export interface AttachmentUse {
  attachment_id: number;
  message_id: number;
}

/** The bytes of all attachments. */
export interface UploadSpace {
  realm_id: number;
  bytes: number;
}

/** An upload in pieces; how much of it there is, the draft itself says. */
export interface ResumableUpload {
  path_id: string;
  user_id: number;
  name: string;
  content_type: string;
  size: number;
  created: Seconds;
}

/** What a page elsewhere said of itself, for the previews of the links to it. */
export interface LinkedPageRow {
  /** SHA-256 of its address, base64url. */
  hash: string;
  expires: Seconds;
  /** null: it has nothing to show, or could not be read. */
  page: LinkedPage | null;
}
