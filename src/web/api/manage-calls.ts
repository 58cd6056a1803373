// Calls for creating and changing channels, folders and groups.
import type { getEmailAddress } from "../../features/channels/api/address.ts";
import type { getChannelsOfUser, getSubscribers } from "../../features/channels/api/list.ts";
import type { patchChannel } from "../../features/channels/api/patch.ts";
import type {
  deleteSubscriptions,
  postSubscriptions,
} from "../../features/channels/api/subscriptions.ts";
import type { deleteChannel } from "../../features/channels/manage/archive.ts";
import type { postChannel } from "../../features/channels/manage/create.ts";
import type { patchFolder, patchFolderOrder, postFolder } from "../../features/folders/actions.ts";
import type { patchGroup } from "../../features/groups/change.ts";
import type { postGroup } from "../../features/groups/create.ts";
import type { getUser } from "../../features/accounts/actions.ts";
import type { deleteTopic } from "../../features/messages/delete/topic.ts";
import type { patchSnippet, removeSnippet } from "../../features/snippets/actions.ts";
import type { postDeactivation } from "../../features/groups/deactivate.ts";
import type { postMembers } from "../../features/groups/members.ts";
import type { updatePresence } from "../../features/presence/actions.ts";
import { call } from "./call.ts";

export const createChannel = call<typeof postChannel>("POST", "/channels/create", "send");
export const editChannel = call<typeof patchChannel>("PATCH", "/streams/{stream_id}", "send", true);
export const archiveChannel = call<typeof deleteChannel>("DELETE", "/streams/{stream_id}", "send");
export const fetchSubscribers = call<typeof getSubscribers, { subscribers: number[] }>(
  "GET",
  "/streams/{stream_id}/members",
  "view",
);
export const addSubscribers = call<typeof postSubscriptions>(
  "POST",
  "/users/me/subscriptions",
  "send",
  true,
);
export const dropSubscribers = call<typeof deleteSubscriptions>(
  "DELETE",
  "/users/me/subscriptions",
  "send",
  true,
);
export const fetchChannelAddress = call<typeof getEmailAddress>(
  "GET",
  "/streams/{stream_id}/email_address",
  "view",
);
export const createFolder = call<typeof postFolder>("POST", "/channel_folders/create", "send");
export const editFolder = call<typeof patchFolder>(
  "PATCH",
  "/channel_folders/{channel_folder_id}",
  "send",
  true,
);
export const orderFolders = call<typeof patchFolderOrder>(
  "PATCH",
  "/channel_folders",
  "send",
  true,
);
export const createGroup = call<typeof postGroup>("POST", "/user_groups/create", "send");
export const editGroup = call<typeof patchGroup>(
  "PATCH",
  "/user_groups/{user_group_id}",
  "send",
  true,
);
export const deactivateGroup = call<typeof postDeactivation>(
  "POST",
  "/user_groups/{user_group_id}/deactivate",
  "send",
);
export const changeMembers = call<typeof postMembers>(
  "POST",
  "/user_groups/{user_group_id}/members",
  "send",
);
export const sendPresence = call<
  typeof updatePresence,
  { presences?: Record<string, object>; presence_last_update_id: number }
>("POST", "/users/me/presence", "presence");
export const fetchChannelsOf = call<typeof getChannelsOfUser>(
  "GET",
  "/users/{user_id}/channels",
  "view",
);
/** Shows moderators whether the user joined without an invitation. */
export const fetchPerson = call<typeof getUser>("GET", "/users/{user_id}", "view");
/**
 * Deletes a batch of messages. `complete` in the response means that no further request is needed.
 */
export const dropTopic = call<typeof deleteTopic>(
  "POST",
  "/streams/{stream_id}/delete_topic",
  "send",
  true,
);
export const editSnippet = call<typeof patchSnippet>(
  "PATCH",
  "/saved_snippets/{saved_snippet_id}",
  "send",
);
export const dropSnippet = call<typeof removeSnippet>(
  "DELETE",
  "/saved_snippets/{saved_snippet_id}",
  "send",
);
