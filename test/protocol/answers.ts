// What each endpoint answers beside `result` and `msg`, as the protocol describes it.
import { dict, list, oneOf } from "../clients/shapes.ts";
import { ANSWERS_ON_PEOPLE } from "./answers-people.ts";
import { FETCHED_MESSAGE, FOUND_MESSAGE } from "./message-objects.ts";
import {
  ATTACHMENT,
  CHANNEL,
  DRAFT,
  type Fields,
  FOLDER,
  MEMBERSHIP,
  optional,
  REMINDER,
  SCHEDULED,
  SNIPPET,
} from "./objects.ts";
import { ALWAYS, SERVER_SETTINGS, SNAPSHOT } from "./snapshot.ts";

const NOTHING: Fields = {};
const KEY = { api_key: "str", email: "str", user_id: "int" } as const;
const NAMES_BY_USER = dict(list("str"));
const SUBSCRIBED = {
  subscribed: NAMES_BY_USER,
  already_subscribed: NAMES_BY_USER,
  "unauthorized?": list("str"),
  "new_subscription_messages_sent?": "bool",
} as const;
const UNSUBSCRIBED = { removed: list("str"), not_removed: list("str") } as const;
const FLAGGED = { "ignored_because_not_subscribed_channels?": list("int") } as const;
const STATE_THEN: Fields = {
  timestamp: "secs",
  content: "str",
  rendered_content: "str",
  topic: "str",
  user_id: "int?",
  ...optional({
    prev_content: "str",
    prev_rendered_content: "str",
    content_html_diff: "str",
    prev_topic: "str",
    prev_stream: "int",
    stream: "int",
  }),
};
/** Of no organization in particular, where the address has none. */
const SERVER_ALONE = Object.fromEntries(
  Object.entries(SERVER_SETTINGS).filter(([name]) => !name.startsWith("realm_")),
);
const { queue_id: _, ...REGISTERED } = { ...ALWAYS, ...SNAPSHOT };
const PUSHED = { push_subscription_id: "int" } as const;
export const ANSWERS: Readonly<Record<string, Fields>> = {
  "GET /server_settings": { ...SERVER_ALONE, ...optional(SERVER_SETTINGS) },
  "POST /fetch_api_key": KEY,
  "GET /users/me/api_keys": {
    api_keys: list({
      id: "int",
      client: "str",
      created: "secs",
      last_used: "secs",
      current: "bool",
    }),
  },
  "DELETE /users/me/api_keys/{key_id}": NOTHING,
  "POST /users/me/api_key/regenerate": { api_key: "str" },
  "POST /register_client_device": { device_id: "int" },
  "POST /remove_client_device": NOTHING,
  "POST /users/me/android_gcm_reg_id": NOTHING,
  "DELETE /users/me/android_gcm_reg_id": NOTHING,
  "POST /users/me/apns_device_token": NOTHING,
  "DELETE /users/me/apns_device_token": NOTHING,
  "GET /users/me/push_subscriptions": {
    application_server_key: "str",
    push_subscriptions: list("any"),
  },
  "POST /users/me/push_subscriptions": PUSHED,
  "POST /users/me/push_subscriptions/ntfy": PUSHED,
  "DELETE /users/me/push_subscriptions/{push_subscription_id}": NOTHING,
  "POST /users/me/push_subscriptions/{push_subscription_id}/test": {
    is_taken: "bool",
    is_gone: "bool",
    status: "int?",
    reason: "str?",
  },
  "POST /mobile_push/register": NOTHING,
  "POST /mobile_push/test_notification": NOTHING,
  "POST /mobile_push/e2ee/test_notification": NOTHING,

  // Spectators have no queue.
  "POST /register": { ...optional(REGISTERED), queue_id: "str?" },
  "GET /events": { events: list("any"), queue_id: "str" },
  "DELETE /events": NOTHING,

  "POST /messages": { id: "int", "automatic_new_visibility_policy?": oneOf(2, 3) },
  "GET /messages": {
    messages: list(FOUND_MESSAGE),
    "anchor?": "num",
    found_anchor: "bool",
    found_oldest: "bool",
    found_newest: "bool",
    history_limited: "bool",
  },
  "POST /messages/flags": { messages: list("int"), ...FLAGGED },
  "POST /messages/flags/narrow": {
    processed_count: "int",
    updated_count: "int",
    first_processed_id: "int?",
    last_processed_id: "int?",
    found_oldest: "bool",
    found_newest: "bool",
    ...FLAGGED,
  },
  "POST /mark_all_as_read": { complete: "bool" },
  "POST /mark_stream_as_read": NOTHING,
  "POST /mark_topic_as_read": NOTHING,
  "GET /users/me/{stream_id}/topics": { topics: list({ name: "str", max_id: "int" }) },
  "GET /messages/{message_id}": { message: FETCHED_MESSAGE, raw_content: "str" },
  "POST /zcommand": { msg: "str" },
  "POST /messages/render": { rendered: "str" },
  "GET /messages/matches_narrow": {
    messages: dict({ match_content: "str", match_subject: "str" }),
  },
  "POST /messages/{message_id}/reactions": NOTHING,
  "DELETE /messages/{message_id}/reactions": NOTHING,
  "GET /messages/{message_id}/read_receipts": { user_ids: list("int") },
  "POST /submessage": NOTHING,
  "DELETE /messages/{message_id}": NOTHING,
  "PATCH /messages/{message_id}": { detached_uploads: list(ATTACHMENT) },
  "GET /messages/{message_id}/history": { message_history: list(STATE_THEN) },
  "POST /messages/{message_id}/report": NOTHING,
  "POST /typing": NOTHING,
  "POST /messages/{message_id}/typing": NOTHING,
  "GET /drafts": { count: "int", drafts: list(DRAFT) },
  "POST /drafts": { ids: list("int") },
  "PATCH /drafts/{draft_id}": NOTHING,
  "DELETE /drafts/{draft_id}": NOTHING,
  "GET /saved_snippets": { saved_snippets: list(SNIPPET) },
  "POST /saved_snippets": { saved_snippet_id: "int" },
  "PATCH /saved_snippets/{saved_snippet_id}": NOTHING,
  "DELETE /saved_snippets/{saved_snippet_id}": NOTHING,
  "GET /scheduled_messages": { scheduled_messages: list(SCHEDULED) },
  "POST /scheduled_messages": { scheduled_message_id: "int" },
  "PATCH /scheduled_messages/{scheduled_message_id}": NOTHING,
  "DELETE /scheduled_messages/{scheduled_message_id}": NOTHING,
  "GET /reminders": { reminders: list(REMINDER) },
  "POST /reminders": { reminder_id: "int" },
  "DELETE /reminders/{reminder_id}": NOTHING,

  "GET /streams": { streams: list({ ...CHANNEL, "is_default?": "bool" }) },
  "POST /channels/create": { id: "int" },
  "GET /streams/{stream_id}": { stream: CHANNEL },
  "PATCH /streams/{stream_id}": NOTHING,
  "DELETE /streams/{stream_id}": NOTHING,
  "POST /streams/{stream_id}/delete_topic": { complete: "bool" },
  "GET /streams/{stream_id}/members": { subscribers: list("int") },
  "GET /streams/{stream_id}/email_address": { email: "str" },
  "GET /get_stream_id": { stream_id: "int" },
  "POST /default_streams": NOTHING,
  "DELETE /default_streams": NOTHING,
  "POST /default_stream_groups/create": { id: "int" },
  "PATCH /default_stream_groups/{group_id}": NOTHING,
  "DELETE /default_stream_groups/{group_id}": NOTHING,
  "PATCH /default_stream_groups/{group_id}/streams": NOTHING,
  "GET /channel_folders": { channel_folders: list(FOLDER) },
  "POST /channel_folders/create": { channel_folder_id: "int" },
  "PATCH /channel_folders": NOTHING,
  "PATCH /channel_folders/{channel_folder_id}": NOTHING,
  "GET /users/me/subscriptions": { subscriptions: list(MEMBERSHIP) },
  "POST /users/me/subscriptions": SUBSCRIBED,
  "PATCH /users/me/subscriptions": { ...optional(SUBSCRIBED), ...optional(UNSUBSCRIBED) },
  "DELETE /users/me/subscriptions": UNSUBSCRIBED,
  "POST /users/me/subscriptions/properties": NOTHING,
  "PATCH /users/me/subscriptions/{stream_id}": NOTHING,
  "PATCH /users/me/subscriptions/muted_topics": NOTHING,
  "GET /users/{user_id}/subscriptions/{stream_id}": { is_subscribed: "bool" },
  "GET /users/{user_id}/channels": { subscribed_channel_ids: list("int") },
  "POST /user_topics": NOTHING,
  "GET /users/me/alert_words": { alert_words: list("str") },
  "POST /users/me/alert_words": { alert_words: list("str") },
  "DELETE /users/me/alert_words": { alert_words: list("str") },
  "POST /users/me/muted_users/{muted_user_id}": NOTHING,
  "DELETE /users/me/muted_users/{muted_user_id}": NOTHING,

  ...ANSWERS_ON_PEOPLE,
};
