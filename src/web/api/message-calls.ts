// Calls for actions and lookups after the first view.
import type {
  deleteSubscriptions,
  patchSubscriptions,
} from "../../features/channels/api/subscriptions.ts";
import type { postSlashCommand } from "../../features/accounts/slash.ts";
import type { postProperties } from "../../features/channels/subscriptions/properties.ts";
import type { updateSettings } from "../../features/accounts/settings.ts";
import type {
  getDrafts,
  patchDraft,
  postDrafts,
  removeDraft,
} from "../../features/drafts/actions.ts";
import type { postFlagsOfNarrow } from "../../features/messages/flags/flags.ts";
import type { patchMessage } from "../../features/messages/patch/edit.ts";
import type { renderMessage } from "../../features/messages/read/fetch-one.ts";
import type { getRecentTopics } from "../../features/messages/read/recent-topics.ts";
import type { postMessage } from "../../features/messages/send/post.ts";
import type {
  patchScheduled,
  postScheduled,
  removeScheduled,
} from "../../features/scheduled/actions.ts";
import type { postSnippet } from "../../features/snippets/actions.ts";
import type { updateOwnStatus, updateUserStatus } from "../../features/status/actions.ts";
import type { postUserTopic } from "../../features/topics/actions.ts";
import type { setTyping } from "../../features/typing/actions.ts";
import type { setTypingOnEdit } from "../../features/typing/edit.ts";
import type { removeMessage } from "../../features/messages/delete/delete.ts";
import type { getHistory } from "../../features/messages/read/history.ts";
import type { deleteMutedUser, postMutedUser } from "../../features/mutes/actions.ts";
import type { deleteReaction, postReaction } from "../../features/reactions/actions.ts";
import type { getReadReceipts } from "../../features/receipts/actions.ts";
import type { postReminder, removeReminder } from "../../features/reminders/actions.ts";
import type { postReport } from "../../features/reports/actions.ts";
import type { postSubmessage } from "../../features/submessages/actions.ts";
import { call } from "./call.ts";

export const sendMessage = call<typeof postMessage>("POST", "/messages", "send");
export const changeFlagsBefore = call<typeof postFlagsOfNarrow>(
  "POST",
  "/messages/flags/narrow",
  "flags",
  true,
);
export const renderText = call<typeof renderMessage>("POST", "/messages/render", "prefetch", true);
export const fetchRecentTopics = call<typeof getRecentTopics>(
  "GET",
  "/users/me/topics/recent",
  "view",
);
export const fetchDrafts = call<typeof getDrafts>("GET", "/drafts", "presence");
export const addDrafts = call<typeof postDrafts>("POST", "/drafts", "presence");
export const editDraft = call<typeof patchDraft>("PATCH", "/drafts/{draft_id}", "presence");
export const dropDraft = call<typeof removeDraft>("DELETE", "/drafts/{draft_id}", "presence");
export const sendTypingOnEdit = call<typeof setTypingOnEdit>(
  "POST",
  "/messages/{message_id}/typing",
  "presence",
);
export const sendTyping = call<typeof setTyping>("POST", "/typing", "presence");
export const scheduleMessage = call<typeof postScheduled>("POST", "/scheduled_messages", "send");
export const changeScheduled = call<typeof patchScheduled>(
  "PATCH",
  "/scheduled_messages/{scheduled_message_id}",
  "send",
);
export const dropScheduled = call<typeof removeScheduled>(
  "DELETE",
  "/scheduled_messages/{scheduled_message_id}",
  "send",
);
export const addSnippet = call<typeof postSnippet>("POST", "/saved_snippets", "view");
export const runCommand = call<typeof postSlashCommand>("POST", "/zcommand", "flags", true);

export const setTopicPolicy = call<typeof postUserTopic>("POST", "/user_topics", "flags", true);
export const setSubscription = call<typeof postProperties>(
  "POST",
  "/users/me/subscriptions/properties",
  "flags",
  true,
);
export const joinChannels = call<typeof patchSubscriptions>(
  "PATCH",
  "/users/me/subscriptions",
  "send",
  true,
);
export const leaveChannels = call<typeof deleteSubscriptions>(
  "DELETE",
  "/users/me/subscriptions",
  "send",
  true,
);
export const setStatus = call<typeof updateOwnStatus>("POST", "/users/me/status", "flags", true);
export const setStatusOf = call<typeof updateUserStatus>(
  "POST",
  "/users/{user_id}/status",
  "flags",
  true,
);
export const dropReminder = call<typeof removeReminder>(
  "DELETE",
  "/reminders/{reminder_id}",
  "flags",
);

export const editMessage = call<typeof patchMessage>("PATCH", "/messages/{message_id}", "send");
export const deleteMessage = call<typeof removeMessage>("DELETE", "/messages/{message_id}", "send");
export const fetchHistory = call<typeof getHistory, { message_history: Version[] }>(
  "GET",
  "/messages/{message_id}/history",
  "view",
);
export const fetchReceipts = call<typeof getReadReceipts>(
  "GET",
  "/messages/{message_id}/read_receipts",
  "view",
);
export const addReaction = call<typeof postReaction>(
  "POST",
  "/messages/{message_id}/reactions",
  "flags",
);
export const dropReaction = call<typeof deleteReaction>(
  "DELETE",
  "/messages/{message_id}/reactions",
  "flags",
);
export const addSubmessage = call<typeof postSubmessage>("POST", "/submessage", "flags");
export const addReminder = call<typeof postReminder>("POST", "/reminders", "send");
export const reportMessage = call<typeof postReport>(
  "POST",
  "/messages/{message_id}/report",
  "send",
);
export const muteUser = call<typeof postMutedUser>(
  "POST",
  "/users/me/muted_users/{muted_user_id}",
  "flags",
);
export const unmuteUser = call<typeof deleteMutedUser>(
  "DELETE",
  "/users/me/muted_users/{muted_user_id}",
  "flags",
);

/** A version of a message. */
export interface Version {
  readonly timestamp: number;
  readonly user_id: number | null;
  readonly topic: string;
  readonly prev_topic?: string;
  readonly stream?: number;
  readonly prev_stream?: number;
  readonly rendered_content: string;
  readonly content_html_diff?: string;
}

export const changeSettings = call<typeof updateSettings>("PATCH", "/settings", "flags", true);
