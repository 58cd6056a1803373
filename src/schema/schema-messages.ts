// Tables of messages, their content and search index.
import { chunkOf } from "../store/bitmap/bitmap.ts";
import { table } from "../store/declare.ts";
import { setKey } from "../store/set-key.ts";
import type {
  Archived,
  Attachment,
  AttachmentUse,
  BackdatedTimes,
  Conversation,
  Draft,
  FreshTerms,
  LinkedPageRow,
  Message,
  MessagePin,
  MovedMessages,
  NoteAttachmentUse,
  ReadFloor,
  Reminder,
  ResumableUpload,
  SavedSnippet,
  ScheduledMessage,
  SearchPage,
  SearchParts,
  SearchSegment,
  SearchWords,
  Send,
  TopicNote,
  TopicNoteVersion,
  TopicRename,
  UnfinishedMove,
  UploadSpace,
} from "./records-messages.ts";

// prettier-ignore
export const messageTables = {
  conversations: table<Conversation>()({
    prefix: 13,
    journaled: true,
    key: ["recipient_id"],
    fields: ["recipient_id", "user_ids", "last_id"],
    indexes: {
      people: { prefix: 14, unique: true, of: (direct) => [setKey(direct.user_ids)] },
      /** Ordered by newest message, for each of the users. */
      recent: {
        prefix: 15,
        each: ({ user_ids, last_id }) => user_ids.map((id) => [id, chunkOf(last_id)]),
      },
    },
  }),
  messages: table<Message>()({
    prefix: 16,
    journaled: true,
    key: ["id"],
    fields: [
      "id", "sender_id", "timestamp", "stream_id", "topic_id", "recipient_id", "content",
      "rendered_content", "client", "bits", "mentioned_user_ids", "mentioned_group_ids",
      "reactions", "submessages", "edit_history", "last_edit_timestamp", "last_moved_timestamp",
      "renames_seen", "spelling",
    ],
    indexes: {},
  }),
  read_floors: table<ReadFloor>()({
    prefix: 17,
    journaled: true,
    key: ["user_id"],
    fields: ["user_id", "floor"],
    indexes: {},
  }),
  sends: table<Send>()({
    prefix: 24,
    journaled: true,
    key: ["user_id", "token"],
    fields: ["user_id", "token", "message_id", "timestamp"],
    indexes: {},
  }),
  message_pins: table<MessagePin>()({
    prefix: 149,
    key: ["message_id"],
    fields: ["message_id", "stream_id", "pinned_by", "pinned_at"],
    cached: true,
    indexes: { channel: { of: (pin) => [pin.stream_id] } },
  }),
  topic_notes: table<TopicNote>()({
    prefix: 150,
    key: ["topic_id"],
    fields: ["topic_id", "content", "rendered_content", "version", "updated_by", "updated_at"],
    indexes: {},
  }),
  topic_note_versions: table<TopicNoteVersion>()({
    prefix: 151,
    key: ["topic_id", "version"],
    fields: ["topic_id", "version", "content", "updated_by", "updated_at", "event_id"],
    indexes: {},
  }),
  moved_messages: table<MovedMessages>()({
    prefix: 30,
    key: ["chunk"],
    fields: ["chunk", "move_paths"],
    indexes: {},
  }),
  backdated_times: table<BackdatedTimes>()({
    prefix: 173,
    key: ["chunk"],
    fields: ["chunk", "latest"],
    indexes: {},
  }),
  topic_renames: table<TopicRename>()({
    prefix: 31,
    key: ["topic_id", "rename_id"],
    fields: ["topic_id", "rename_id", "last_id", "user_id", "timestamp", "prev_topic", "topic"],
    indexes: {},
  }),
  unfinished_moves: table<UnfinishedMove>()({
    prefix: 32,
    key: ["move_id"],
    fields: [
      "move_id", "user_id", "message_id", "propagate_mode", "timestamp", "from_topic_id",
      "to_topic_id", "prev_stream", "prev_topic", "stream_id", "topic", "is_toggle", "is_whole",
      "was_empty", "notify_old", "notify_new", "after_id", "last_id", "first_moved_id", "moved",
      "job_at", "job_id",
    ],
    indexes: {},
  }),
  archive: table<Archived>()({
    prefix: 33,
    key: ["message_id"],
    fields: ["message_id", "deleted", "deleted_by", "message", "topic"],
    indexes: { deleted: { prefix: 34, of: (row) => [row.deleted] } },
  }),
  drafts: table<Draft>()({
    prefix: 35,
    key: ["user_id", "draft_id"],
    fields: ["user_id", "draft_id", "type", "to", "topic", "content", "timestamp"],
    indexes: {},
  }),
  saved_snippets: table<SavedSnippet>()({
    prefix: 36,
    key: ["user_id", "saved_snippet_id"],
    fields: ["user_id", "saved_snippet_id", "title", "content", "date_created"],
    indexes: {},
  }),
  linked_pages: table<LinkedPageRow>()({
    prefix: 60,
    key: ["hash"],
    fields: ["hash", "expires", "page"],
    indexes: {},
  }),
  scheduled_messages: table<ScheduledMessage>()({
    prefix: 37,
    key: ["user_id", "scheduled_message_id"],
    fields: [
      "user_id", "scheduled_message_id", "type", "to", "topic", "content", "rendered_content",
      "scheduled_delivery_timestamp", "read_by_sender", "client", "failed", "job_at", "job_id",
    ],
    indexes: {},
  }),
  reminders: table<Reminder>()({
    prefix: 38,
    key: ["user_id", "reminder_id"],
    fields: [
      "user_id", "reminder_id", "reminder_target_message_id", "note", "content", "rendered_content",
      "scheduled_delivery_timestamp", "failed", "job_at", "job_id",
    ],
    indexes: {},
  }),
  search_segments: table<SearchSegment>()({
    prefix: 40,
    key: ["level", "number"],
    fields: ["level", "number", "until", "firsts"],
    cached: true,
    indexes: {},
  }),
  search_pages: table<SearchPage>()({
    prefix: 41,
    key: ["level", "number", "first"],
    fields: ["level", "number", "first", "terms", "lists"],
    indexes: {},
  }),
  /** The few hundred newest messages. Every search reads all of them. */
  search_fresh: table<FreshTerms>()({
    prefix: 42,
    derived: true,
    key: ["id"],
    fields: ["id", "terms"],
    cached: true,
    indexes: {},
  }),
  attachments: table<Attachment>()({
    prefix: 51,
    key: ["id"],
    fields: [
      "id", "user_id", "path_id", "name", "size", "content_type", "create_time", "image",
      "unused_since", "sha256",
    ],
    indexes: {
      path: { prefix: 52, unique: true, of: (file) => [file.path_id] },
      owner: { prefix: 53, of: (file) => [file.user_id] },
      unused: {
        prefix: 90,
        of: ({ unused_since }) => (unused_since === null ? undefined : [unused_since]),
      },
    },
  }),
  attachment_uses: table<AttachmentUse>()({
    prefix: 54,
    key: ["attachment_id", "message_id"],
    fields: ["attachment_id", "message_id"],
    indexes: { message: { prefix: 91, of: (use) => [use.message_id] } },
  }),
  note_attachment_uses: table<NoteAttachmentUse>()({
    prefix: 154,
    key: ["attachment_id", "topic_id"],
    fields: ["attachment_id", "topic_id"],
    indexes: { topic: { prefix: 155, of: (use) => [use.topic_id] } },
  }),
  upload_space: table<UploadSpace>()({
    prefix: 92,
    key: ["realm_id"],
    fields: ["realm_id", "bytes"],
    cached: true,
    indexes: {},
  }),
  resumable_uploads: table<ResumableUpload>()({
    prefix: 93,
    key: ["path_id"],
    fields: ["path_id", "user_id", "name", "content_type", "size", "created"],
    cached: true,
    indexes: { user: { of: (upload) => [upload.user_id] } },
  }),
  search_words: table<SearchWords>()({
    prefix: 87,
    key: ["level", "number", "first"],
    fields: ["level", "number", "first", "lines"],
    indexes: {},
  }),
  search_parts: table<SearchParts>()({
    prefix: 164,
    key: ["level", "number"],
    fields: ["level", "number", "masks", "firsts"],
    indexes: {},
  }),
};
