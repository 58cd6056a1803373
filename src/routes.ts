// What may be asked: the whole API on one page, as method, path, gate and endpoint.
import { deleteAlertWords, getAlertWords, postAlertWords } from "./features/alert-words/actions.ts";
import {
  generatedPicture,
  redirectToAvatar,
  redirectToMediumAvatar,
} from "./features/avatars/actions.ts";
import { deleteAvatar, postAvatar } from "./features/avatars/own.ts";
import {
  deleteIcon,
  deleteLogo,
  getIcon,
  getLogo,
  postIcon,
  postLogo,
} from "./features/avatars/realm.ts";
import { getPicture } from "./features/avatars/stored.ts";
import { deleteBot, getBotKey, getBots, regenerateBotKey } from "./features/bots/actions.ts";
import { patchBot } from "./features/bots/change.ts";
import { postBot } from "./features/bots/create.ts";
import { deleteBotStorage, getBotStorage, putBotStorage } from "./features/bots/storage.ts";
import {
  createBigBlueButtonCall,
  createConstructorCall,
  createNextcloudCall,
  createWebexCall,
  createZoomCall,
} from "./features/calls/actions.ts";
import { getEmailAddress } from "./features/channels/address.ts";
import { deleteChannel } from "./features/channels/archive.ts";
import { postChannel } from "./features/channels/create.ts";
import {
  patchDefaultGroup,
  patchDefaultGroupChannels,
  postDefaultGroup,
  removeDefaultGroup,
} from "./features/channels/default-groups.ts";
import {
  getChannel,
  getChannelId,
  getChannels,
  getChannelsOfUser,
  getIsSubscribed,
  getSubscribers,
} from "./features/channels/list.ts";
import { patchChannel } from "./features/channels/patch.ts";
import { patchSubscription, postProperties } from "./features/channels/properties.ts";
import {
  deleteSubscriptions,
  getSubscriptions,
  patchSubscriptions,
  postSubscriptions,
} from "./features/channels/subscriptions.ts";
import { deleteDefaultChannel, postDefaultChannel } from "./features/channels/update.ts";
import { deleteDevice, postDevice } from "./features/devices/actions.ts";
import { testDevice, testToken } from "./features/devices/testing.ts";
import {
  deleteAndroidToken,
  deleteAppleToken,
  postAndroidToken,
  postAppleToken,
  registerPush,
} from "./features/devices/tokens.ts";
import { getDrafts, patchDraft, postDrafts, removeDraft } from "./features/drafts/actions.ts";
import { deleteCustomEmoji, getCustomEmoji, postCustomEmoji } from "./features/emoji/actions.ts";
import {
  confirmApp,
  dropApp,
  dropPasskey,
  makePasskey,
  newPasskeyOptions,
  renewCodes,
  setUpApp,
} from "./features/factors/enrol.ts";
import { getPasskeyScript } from "./features/factors/script.ts";
import { passkeyOptions, verifyCode, verifyPasskey } from "./features/factors/verify.ts";
import { deleteAttachment, getAttachments } from "./features/files/actions.ts";
import { downloadFile, getFile } from "./features/files/read.ts";
import { getTemporaryFile, getTemporaryLink } from "./features/files/temporary.ts";
import { getOldThumbnail, getThumbnail, getThumbnailStatus } from "./features/files/thumbnail.ts";
import { addToUpload, askAfterUpload, beginUpload, giveUpUpload } from "./features/files/tus.ts";
import { postUpload } from "./features/files/upload.ts";
import { deleteQueue, getEvents } from "./features/events/actions.ts";
import { registerQueue } from "./features/events/register.ts";
import {
  getFolders,
  patchFolder,
  patchFolderOrder,
  postFolder,
} from "./features/folders/actions.ts";
import {
  deleteInvitation,
  deleteInvitationLink,
  getInvitations,
  resendInvitation,
} from "./features/invitations/actions.ts";
import { postConfirmed, showConfirmed, showSent } from "./features/invitations/confirm-pages.ts";
import { postInvitationLink, postInvitations } from "./features/invitations/invite.ts";
import { join, postSignUp, showJoin, showSignUp } from "./features/invitations/pages.ts";
import { patchGroup } from "./features/groups/change.ts";
import { postGroup } from "./features/groups/create.ts";
import { postDeactivation } from "./features/groups/deactivate.ts";
import { getGroups, getIsMember, getMembers, getSubgroups } from "./features/groups/list.ts";
import { postMembers, postSubgroups } from "./features/groups/members.ts";
import { deleteKey, fetchOwnKey, listKeys, regenerateKey } from "./features/keys/actions.ts";
import { fetchKeyByJwt, fetchKeyOfAnybody, listAnybody } from "./features/keys/refused.ts";
import { fetchApiKey } from "./features/keys/sign-in.ts";
import {
  getLinkifiers,
  patchLinkifier,
  patchLinkifierOrder,
  postLinkifier,
  removeLinkifier,
} from "./features/linkifiers/actions.ts";
import { removeMessage } from "./features/messages/delete.ts";
import { deleteTopic } from "./features/messages/delete-topic.ts";
import { patchMessage } from "./features/messages/edit.ts";
import { getMessages } from "./features/messages/fetch.ts";
import { getHistory } from "./features/messages/history.ts";
import { getMatches } from "./features/messages/matches.ts";
import { getMessage, renderMessage } from "./features/messages/fetch-one.ts";
import { postFlags, postFlagsOfNarrow } from "./features/messages/flags.ts";
import { postAllRead, postChannelRead, postTopicRead } from "./features/messages/mark-read.ts";
import { postMessage } from "./features/messages/post.ts";
import { getSummary } from "./features/messages/summary.ts";
import { getTopics } from "./features/messages/topics.ts";
import { postTestWelcome } from "./features/invitations/welcome.ts";
import { showUnsubscribe, unsubscribe } from "./features/mail/unsubscribe.ts";
import { deleteMutedUser, postMutedUser } from "./features/mutes/actions.ts";
import { deleteView, getViews, patchView, postView } from "./features/navigation/actions.ts";
import { postOnboardingStep } from "./features/navigation/onboarding.ts";
import { comeFromProvider, goToProvider } from "./features/oidc/actions.ts";
import { deletePlayground, postPlayground } from "./features/playgrounds/actions.ts";
import { getRealmPresence, getUserPresence, updatePresence } from "./features/presence/actions.ts";
import {
  getProfileFields,
  patchProfileField,
  patchProfileFieldOrder,
  postProfileField,
  removeProfileField,
} from "./features/profile/definitions.ts";
import { deleteProfileData, patchProfileData } from "./features/profile/values.ts";
import {
  deletePushSubscription,
  getPushSubscriptions,
  postNtfyTopic,
  postPushSubscription,
} from "./features/push/actions.ts";
import { testPushSubscription } from "./features/push/later.ts";
import { deleteReaction, postReaction } from "./features/reactions/actions.ts";
import {
  postReset,
  postResetForm,
  showReset,
  showResetForm,
} from "./features/passwords/reset-pages.ts";
import { patchRealm } from "./features/realm/change.ts";
import { getConsents } from "./features/realm/consents.ts";
import { postRealmDeactivation } from "./features/realm/deactivate.ts";
import { patchDefaults } from "./features/realm/defaults.ts";
import { deleteDomain, getDomains, patchDomain, postDomain } from "./features/realm/domains.ts";
import { deleteExport, getExports, postExport } from "./features/realm/exports.ts";
import { postFind, showFind } from "./features/realm/find.ts";
import { go, goTo } from "./features/realm/go.ts";
import { health, livez, readyz } from "./features/realm/health.ts";
import { getCompatibility, getEmojiData, getServerSettings } from "./features/realm/open.ts";
import { setUp, showFirstKey, showSetUp } from "./features/realm/set-up.ts";
import { getSubdomain } from "./features/realm/subdomain.ts";
import { getReadReceipts } from "./features/receipts/actions.ts";
import { getReminders, postReminder, removeReminder } from "./features/reminders/actions.ts";
import { postReport } from "./features/reports/actions.ts";
import {
  getScheduled,
  patchScheduled,
  postScheduled,
  removeScheduled,
} from "./features/scheduled/actions.ts";
import {
  endOneSession,
  endOtherSessions,
  makeAppPassword,
  removeAppPassword,
  showAccount,
} from "./features/sessions/account.ts";
import { admitNewcomer, showNewcomer } from "./features/sessions/newcomer.ts";
import {
  handOver,
  home,
  showSignIn,
  showSignOut,
  signInByForm,
  signOut,
} from "./features/sessions/pages.ts";
import { signInByProxy } from "./features/sessions/proxy.ts";
import { updateSettings } from "./features/settings/actions.ts";
import { postSlashCommand } from "./features/settings/slash.ts";
import {
  getSnippets,
  patchSnippet,
  postSnippet,
  removeSnippet,
} from "./features/snippets/actions.ts";
import { getUserStatus, updateOwnStatus, updateUserStatus } from "./features/status/actions.ts";
import { postSubmessage } from "./features/submessages/actions.ts";
import { patchMutedTopics, postUserTopic } from "./features/topics/actions.ts";
import { setTyping } from "./features/typing/actions.ts";
import { setTypingOnEdit } from "./features/typing/edit.ts";
import {
  addUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  listUsers,
} from "./features/users/actions.ts";
import { postNewAddress, showNewAddress } from "./features/users/address-pages.ts";
import { deleteOwnUser, deleteUser, restoreUser } from "./features/users/activity.ts";
import { updateUser, updateUserByEmail } from "./features/users/changes.ts";
import { postJsonHook, postSlackHook } from "./features/webhooks/incoming.ts";
import { PROTOCOL_VERSION } from "./names.ts";
import {
  administrators,
  anyone,
  bots,
  hooks,
  memberPeople,
  noGuests,
  owners,
  people,
  senders,
  signedIn,
  spectators,
} from "./server/gate.ts";
import { openapiRoute } from "./server/openapi.ts";
import { DELETE, GET, PATCH, POST, PUT, type Route } from "./server/routing.ts";

// prettier-ignore
export const routes: readonly Route[] = [
  // signing in
  GET("/server_settings", anyone, getServerSettings, "by key"),
  POST("/fetch_api_key", anyone, fetchApiKey, "by key"),
  POST("root:/json/fetch_api_key", people, fetchOwnKey),
  POST("/jwt/fetch_api_key", anyone, fetchKeyByJwt, "by key"),
  POST("/dev_fetch_api_key", anyone, fetchKeyOfAnybody, "by key"),
  GET("/dev_list_users", anyone, listAnybody, "by key"),
  GET("/users/me/api_keys", signedIn, listKeys),
  DELETE("/users/me/api_keys/{key_id}", signedIn, deleteKey),
  POST("/users/me/api_key/regenerate", signedIn, regenerateKey, "by key"),
  POST("/register_client_device", people, postDevice),
  POST("/remove_client_device", people, deleteDevice),
  POST("/users/me/android_gcm_reg_id", people, postAndroidToken),
  DELETE("/users/me/android_gcm_reg_id", people, deleteAndroidToken),
  POST("/users/me/apns_device_token", people, postAppleToken),
  DELETE("/users/me/apns_device_token", people, deleteAppleToken),
  POST("/mobile_push/register", people, registerPush),
  POST("/mobile_push/test_notification", people, testToken),
  POST("/mobile_push/e2ee/test_notification", people, testDevice),
  GET("/users/me/push_subscriptions", people, getPushSubscriptions),
  POST("/users/me/push_subscriptions", people, postPushSubscription),
  POST("/users/me/push_subscriptions/ntfy", people, postNtfyTopic),
  DELETE("/users/me/push_subscriptions/{push_subscription_id}", people, deletePushSubscription),
  POST("/users/me/push_subscriptions/{push_subscription_id}/test", people, testPushSubscription),

  // events
  POST("/register", spectators, registerQueue),
  GET("/events", signedIn, getEvents),
  DELETE("/events", signedIn, deleteQueue),

  // messages
  POST("/messages", senders, postMessage),
  GET("/messages", spectators, getMessages),
  POST("/messages/flags", signedIn, postFlags),
  POST("/messages/flags/narrow", signedIn, postFlagsOfNarrow),
  POST("/mark_all_as_read", signedIn, postAllRead),
  POST("/mark_stream_as_read", signedIn, postChannelRead),
  POST("/mark_topic_as_read", signedIn, postTopicRead),
  GET("/users/me/{stream_id}/topics", spectators, getTopics),
  GET("/messages/{message_id}", spectators, getMessage),
  POST("/messages/render", signedIn, renderMessage),
  POST("/zcommand", signedIn, postSlashCommand),
  GET("/messages/matches_narrow", signedIn, getMatches),
  POST("/messages/{message_id}/reactions", signedIn, postReaction),
  DELETE("/messages/{message_id}/reactions", signedIn, deleteReaction),
  GET("/messages/{message_id}/read_receipts", signedIn, getReadReceipts),
  POST("/submessage", signedIn, postSubmessage),
  DELETE("/messages/{message_id}", signedIn, removeMessage),
  PATCH("/messages/{message_id}", signedIn, patchMessage),
  GET("/messages/summary", people, getSummary),
  GET("/messages/{message_id}/history", signedIn, getHistory),
  GET("/drafts", signedIn, getDrafts),
  POST("/drafts", signedIn, postDrafts),
  PATCH("/drafts/{draft_id}", signedIn, patchDraft),
  DELETE("/drafts/{draft_id}", signedIn, removeDraft),
  GET("/saved_snippets", signedIn, getSnippets),
  POST("/saved_snippets", signedIn, postSnippet),
  PATCH("/saved_snippets/{saved_snippet_id}", signedIn, patchSnippet),
  DELETE("/saved_snippets/{saved_snippet_id}", signedIn, removeSnippet),
  GET("/scheduled_messages", signedIn, getScheduled),
  POST("/scheduled_messages", signedIn, postScheduled),
  PATCH("/scheduled_messages/{scheduled_message_id}", signedIn, patchScheduled),
  DELETE("/scheduled_messages/{scheduled_message_id}", signedIn, removeScheduled),
  GET("/reminders", signedIn, getReminders),
  POST("/reminders", signedIn, postReminder),
  DELETE("/reminders/{reminder_id}", signedIn, removeReminder),
  POST("/messages/{message_id}/report", signedIn, postReport),
  POST("/typing", signedIn, setTyping),
  POST("/messages/{message_id}/typing", signedIn, setTypingOnEdit),

  // channels
  GET("/streams", spectators, getChannels),
  POST("/channels/create", noGuests, postChannel),
  GET("/streams/{stream_id}", signedIn, getChannel),
  PATCH("/streams/{stream_id}", signedIn, patchChannel),
  DELETE("/streams/{stream_id}", signedIn, deleteChannel),
  POST("/streams/{stream_id}/delete_topic", administrators, deleteTopic),
  GET("/streams/{stream_id}/members", signedIn, getSubscribers),
  GET("/get_stream_id", signedIn, getChannelId),
  POST("/default_streams", administrators, postDefaultChannel),
  DELETE("/default_streams", administrators, deleteDefaultChannel),
  POST("/default_stream_groups/create", administrators, postDefaultGroup),
  PATCH("/default_stream_groups/{group_id}", administrators, patchDefaultGroup),
  DELETE("/default_stream_groups/{group_id}", administrators, removeDefaultGroup),
  PATCH("/default_stream_groups/{group_id}/streams", administrators, patchDefaultGroupChannels),
  GET("/streams/{stream_id}/email_address", signedIn, getEmailAddress),
  GET("/channel_folders", signedIn, getFolders),
  PATCH("/channel_folders", administrators, patchFolderOrder),
  POST("/channel_folders/create", administrators, postFolder),
  PATCH("/channel_folders/{channel_folder_id}", administrators, patchFolder),
  GET("/users/me/subscriptions", signedIn, getSubscriptions),
  POST("/users/me/subscriptions", noGuests, postSubscriptions),
  PATCH("/users/me/subscriptions", noGuests, patchSubscriptions),
  DELETE("/users/me/subscriptions", signedIn, deleteSubscriptions),
  POST("/users/me/subscriptions/properties", signedIn, postProperties),
  PATCH("/users/me/subscriptions/muted_topics", signedIn, patchMutedTopics),
  PATCH("/users/me/subscriptions/{stream_id}", signedIn, patchSubscription),
  GET("/users/{user_id}/subscriptions/{stream_id}", signedIn, getIsSubscribed),
  GET("/users/{user_id}/channels", signedIn, getChannelsOfUser),
  POST("/user_topics", signedIn, postUserTopic),
  GET("/users/me/alert_words", signedIn, getAlertWords),
  POST("/users/me/alert_words", signedIn, postAlertWords),
  DELETE("/users/me/alert_words", signedIn, deleteAlertWords),
  POST("/users/me/muted_users/{muted_user_id}", signedIn, postMutedUser),
  DELETE("/users/me/muted_users/{muted_user_id}", signedIn, deleteMutedUser),

  // people
  GET("/users", spectators, listUsers),
  POST("/users", administrators, addUser),
  GET("/users/me", signedIn, getOwnUser),
  DELETE("/users/me", signedIn, deleteOwnUser),
  GET("/users/{user_id}", spectators, getUser),
  GET("/users/{email}", signedIn, getUserByEmail),
  PATCH("/users/{user_id}", signedIn, updateUser),
  PATCH("/users/{email}", signedIn, updateUserByEmail),
  DELETE("/users/{user_id}", signedIn, deleteUser),
  POST("/users/{user_id}/reactivate", signedIn, restoreUser),
  PATCH("/settings", people, updateSettings),
  PATCH("/settings/display", people, updateSettings),
  PATCH("/settings/notifications", people, updateSettings),
  POST("/users/me/presence", people, updatePresence),
  GET("/users/{user_id_or_email}/presence", signedIn, getUserPresence),
  GET("/realm/presence", signedIn, getRealmPresence),
  POST("/users/me/status", people, updateOwnStatus),
  GET("/users/{user_id}/status", signedIn, getUserStatus),
  POST("/users/{user_id}/status", administrators, updateUserStatus),
  GET("/bots", memberPeople, getBots),
  POST("/bots", memberPeople, postBot),
  PATCH("/bots/{bot_id}", memberPeople, patchBot),
  DELETE("/bots/{bot_id}", signedIn, deleteBot),
  GET("/bots/{bot_id}/api_key", memberPeople, getBotKey),
  POST("/bots/{bot_id}/api_key/regenerate", memberPeople, regenerateBotKey),
  GET("/invites", memberPeople, getInvitations),
  POST("/invites", memberPeople, postInvitations),
  DELETE("/invites/{invite_id}", memberPeople, deleteInvitation),
  POST("/invites/{invite_id}/resend", memberPeople, resendInvitation),
  POST("/invites/multiuse", memberPeople, postInvitationLink),
  DELETE("/invites/multiuse/{invite_id}", memberPeople, deleteInvitationLink),
  POST("/external/json", hooks, postJsonHook, "by key"),
  POST("/external/slack_incoming", hooks, postSlackHook, "by key"),
  PUT("/bot_storage", bots, putBotStorage),
  GET("/bot_storage", bots, getBotStorage),
  DELETE("/bot_storage", bots, deleteBotStorage),

  PATCH("/users/me/profile_data", people, patchProfileData),
  DELETE("/users/me/profile_data", people, deleteProfileData),
  GET("/navigation_views", signedIn, getViews),
  POST("/navigation_views", signedIn, postView),
  PATCH("/navigation_views/{fragment*}", signedIn, patchView),
  DELETE("/navigation_views/{fragment*}", signedIn, deleteView),
  POST("/users/me/onboarding_steps", people, postOnboardingStep),

  // the organization
  PATCH("/realm", administrators, patchRealm),
  PATCH("/realm/user_settings_defaults", administrators, patchDefaults),
  POST("/realm/deactivate", owners, postRealmDeactivation),
  POST("/realm/test_welcome_bot_custom_message", administrators, postTestWelcome),
  GET("/realm/subdomain/{subdomain}", anyone, getSubdomain),
  GET("/export/realm", administrators, getExports),
  POST("/export/realm", administrators, postExport),
  DELETE("/export/realm/{export_id}", administrators, deleteExport),
  GET("/export/realm/consents", administrators, getConsents),
  GET("/realm/domains", signedIn, getDomains),
  POST("/realm/domains", owners, postDomain),
  PATCH("/realm/domains/{domain}", owners, patchDomain),
  DELETE("/realm/domains/{domain}", owners, deleteDomain),
  GET("/realm/emoji", spectators, getCustomEmoji),
  POST("/realm/emoji/{emoji_name}", memberPeople, postCustomEmoji),
  DELETE("/realm/emoji/{emoji_name}", signedIn, deleteCustomEmoji),
  GET("/realm/icon", signedIn, getIcon),
  POST("/realm/icon", administrators, postIcon),
  DELETE("/realm/icon", administrators, deleteIcon),
  GET("/realm/logo", signedIn, getLogo),
  POST("/realm/logo", administrators, postLogo),
  DELETE("/realm/logo", administrators, deleteLogo),
  GET("/realm/linkifiers", signedIn, getLinkifiers),
  PATCH("/realm/linkifiers", administrators, patchLinkifierOrder),
  POST("/realm/filters", administrators, postLinkifier),
  PATCH("/realm/filters/{filter_id}", administrators, patchLinkifier),
  DELETE("/realm/filters/{filter_id}", administrators, removeLinkifier),
  POST("/realm/playgrounds", administrators, postPlayground),
  DELETE("/realm/playgrounds/{playground_id}", administrators, deletePlayground),
  GET("/calls/bigbluebutton/create", signedIn, createBigBlueButtonCall),
  POST("/calls/zoom/create", signedIn, createZoomCall),
  POST("/calls/webex/create", signedIn, createWebexCall),
  POST("/calls/constructorgroups/create", signedIn, createConstructorCall),
  POST("/calls/nextcloud_talk/create", signedIn, createNextcloudCall),
  GET("/realm/profile_fields", signedIn, getProfileFields),
  POST("/realm/profile_fields", administrators, postProfileField),
  PATCH("/realm/profile_fields", administrators, patchProfileFieldOrder),
  PATCH("/realm/profile_fields/{field_id}", administrators, patchProfileField),
  DELETE("/realm/profile_fields/{field_id}", administrators, removeProfileField),

  // groups
  GET("/user_groups", noGuests, getGroups),
  POST("/user_groups/create", noGuests, postGroup),
  PATCH("/user_groups/{user_group_id}", noGuests, patchGroup),
  POST("/user_groups/{user_group_id}/deactivate", noGuests, postDeactivation),
  GET("/user_groups/{user_group_id}/members", noGuests, getMembers),
  POST("/user_groups/{user_group_id}/members", noGuests, postMembers),
  GET("/user_groups/{user_group_id}/members/{user_id}", noGuests, getIsMember),
  GET("/user_groups/{user_group_id}/subgroups", noGuests, getSubgroups),
  POST("/user_groups/{user_group_id}/subgroups", noGuests, postSubgroups),

  // files
  POST("/user_uploads", signedIn, postUpload),
  GET("/user_uploads/{realm_id}/{rest*}", signedIn, getTemporaryLink),
  GET("/thumbnail/status/{realm_id}/{rest*}", signedIn, getThumbnailStatus),
  POST("/tus/", signedIn, beginUpload),
  GET("/tus/{path_id*}", signedIn, askAfterUpload),
  PATCH("/tus/{path_id*}", signedIn, addToUpload),
  DELETE("/tus/{path_id*}", signedIn, giveUpUpload),
  GET("/attachments", signedIn, getAttachments),
  DELETE("/attachments/{attachment_id}", signedIn, deleteAttachment),
  GET("root:/user_uploads/{path_id*}", spectators, getFile),
  GET("root:/user_uploads/download/{path_id*}", spectators, downloadFile),
  GET("root:/user_uploads/thumbnail/{path_id*}", spectators, getThumbnail),
  GET("root:/thumbnail", spectators, getOldThumbnail),
  GET("root:/user_uploads/temporary/{token}/{file}", anyone, getTemporaryFile),
  POST("/users/me/avatar", signedIn, postAvatar),
  DELETE("/users/me/avatar", signedIn, deleteAvatar),

  // signing in by browser
  GET("root:/", anyone, home),
  GET("root:/login/", anyone, showSignIn),
  POST("root:/login/", anyone, signInByForm),
  GET("root:/accounts/login/", anyone, showSignIn),
  POST("root:/accounts/login/", anyone, signInByForm),
  POST("root:/accounts/login/app/", people, handOver),
  GET("root:/accounts/go/", anyone, go),
  POST("root:/accounts/go/", anyone, goTo),
  GET("root:/accounts/find/", anyone, showFind),
  POST("root:/accounts/find/", anyone, postFind),
  GET("root:/accounts/logout/", anyone, showSignOut),
  POST("root:/accounts/logout/", people, signOut),
  GET("root:/accounts/login/social/oidc/{provider}", anyone, goToProvider),
  GET("root:/accounts/register/social/oidc/{provider}", anyone, goToProvider),
  GET("root:/complete/oidc/{provider}/", anyone, comeFromProvider),
  GET("root:/accounts/login/sso/", anyone, signInByProxy),
  POST("root:/accounts/login/second-factor/", anyone, verifyCode),
  POST("root:/accounts/login/passkey/", anyone, verifyPasskey),
  POST("root:/accounts/login/passkey/options/", anyone, passkeyOptions),
  GET("root:/static/passkeys.js", anyone, getPasskeyScript),
  GET("root:/account/", people, showAccount),
  POST("root:/account/sessions/end/", people, endOneSession),
  POST("root:/account/sessions/end-others/", people, endOtherSessions),
  POST("root:/account/keys/", people, makeAppPassword),
  POST("root:/account/keys/remove/", people, removeAppPassword),
  POST("root:/account/app/", people, setUpApp),
  POST("root:/account/app/confirm/", people, confirmApp),
  POST("root:/account/app/remove/", people, dropApp),
  POST("root:/account/recovery/", people, renewCodes),
  POST("root:/account/passkeys/", people, makePasskey),
  POST("root:/account/passkeys/options/", people, newPasskeyOptions),
  POST("root:/account/passkeys/remove/", people, dropPasskey),
  GET("root:/accounts/join/{token}/", anyone, showNewcomer),
  POST("root:/accounts/join/{token}/", anyone, admitNewcomer),

  // pages, pictures and probes
  GET("root:/setup/{token}", anyone, showSetUp),
  POST("root:/setup/{token}", anyone, setUp),
  GET("root:/setup/key/{token}", anyone, showFirstKey),
  GET("root:/join/{key}/", anyone, showJoin),
  POST("root:/join/{key}/", anyone, join),
  GET("root:/accounts/password/reset/", anyone, showResetForm),
  POST("root:/accounts/password/reset/", anyone, postResetForm),
  GET("root:/accounts/password/reset/{key}/", anyone, showReset),
  POST("root:/accounts/password/reset/{key}/", anyone, postReset),
  GET("root:/accounts/confirm_new_email/{key}/", anyone, showNewAddress),
  POST("root:/accounts/confirm_new_email/{key}/", anyone, postNewAddress),
  GET("root:/accounts/unsubscribe/{kind}/{key}", anyone, showUnsubscribe),
  POST("root:/accounts/unsubscribe/{kind}/{key}", anyone, unsubscribe),
  GET("root:/register/", anyone, showSignUp),
  POST("root:/register/", anyone, postSignUp),
  GET("root:/accounts/home/", anyone, showSignUp),
  POST("root:/accounts/home/", anyone, postSignUp),
  GET("root:/accounts/send_confirm/", anyone, showSent),
  GET("root:/accounts/do_confirm/{key}/", anyone, showConfirmed),
  POST("root:/accounts/register/", anyone, postConfirmed),
  GET("root:/avatar/{user_id_or_email}", spectators, redirectToAvatar),
  GET("root:/avatar/{user_id_or_email}/medium", spectators, redirectToMediumAvatar),
  GET("root:/user_avatars/generated/{file}", anyone, generatedPicture),
  GET("root:/user_avatars/{realm_id}/{file*}", anyone, getPicture),
  GET("root:/static/emoji.json", anyone, getEmojiData),
  GET("root:/compatibility", anyone, getCompatibility),
  GET("root:/livez", anyone, livez),
  GET("root:/readyz", anyone, readyz),
  GET("root:/health", anyone, health),
  openapiRoute(() => routes, PROTOCOL_VERSION),
];
