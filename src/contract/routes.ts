// The complete API on one page: method, path, access and endpoint.
import {
  addUser,
  getOwnUser,
  getUser,
  getUserByEmail,
  listUsers,
} from "../features/accounts/actions.ts";
import { deleteOwnUser, deleteUser, restoreUser } from "../features/accounts/activation.ts";
import { postNewAddress, showNewAddress } from "../features/accounts/address-pages.ts";
import {
  deleteBot,
  getBotKey,
  getBots,
  regenerateBotKey,
} from "../features/accounts/bots/actions.ts";
import { patchBot } from "../features/accounts/bots/change.ts";
import { postBot } from "../features/accounts/bots/create.ts";
import { updateUser, updateUserByEmail } from "../features/accounts/changes.ts";
import { patchDefaults } from "../features/accounts/default-settings.ts";
import { deleteProfileData, patchProfileData } from "../features/accounts/profile.ts";
import { updateSettings } from "../features/accounts/settings.ts";
import { postSlashCommand } from "../features/accounts/slash.ts";
import {
  deleteAlertWords,
  getAlertWords,
  postAlertWords,
} from "../features/alert-words/actions.ts";
import {
  generatedPicture,
  redirectToAvatar,
  redirectToMediumAvatar,
} from "../features/avatars/actions.ts";
import { deleteAvatar, postAvatar } from "../features/avatars/upload.ts";
import { getPicture } from "../features/avatars/serve.ts";
import { deleteBotStorage, getBotStorage, putBotStorage } from "../features/bots/storage.ts";
import {
  createBigBlueButtonCall,
  createConstructorCall,
  createNextcloudCall,
  createWebexCall,
  createZoomCall,
} from "../features/calls/actions.ts";
import { getEmailAddress } from "../features/channels/api/address.ts";
import {
  getChannel,
  getChannelId,
  getChannels,
  getChannelsOfUser,
  getIsSubscribed,
  getSubscribers,
} from "../features/channels/api/list.ts";
import { patchChannel } from "../features/channels/api/patch.ts";
import {
  deleteSubscriptions,
  getSubscriptions,
  patchSubscriptions,
  postSubscriptions,
} from "../features/channels/api/subscriptions.ts";
import {
  patchDefaultGroup,
  patchDefaultGroupChannels,
  postDefaultGroup,
  removeDefaultGroup,
} from "../features/channels/default-groups/actions.ts";
import { deleteChannel } from "../features/channels/manage/archive.ts";
import { postChannel } from "../features/channels/manage/create.ts";
import { deleteDefaultChannel, postDefaultChannel } from "../features/channels/manage/update.ts";
import {
  patchSubscription,
  postProperties,
} from "../features/channels/subscriptions/properties.ts";
import { deleteDevice, postDevice } from "../features/devices/actions.ts";
import { testDevice, testToken } from "../features/devices/testing.ts";
import {
  deleteAndroidToken,
  deleteAppleToken,
  postAndroidToken,
  postAppleToken,
  registerPush,
} from "../features/devices/tokens.ts";
import { getDrafts, patchDraft, postDrafts, removeDraft } from "../features/drafts/actions.ts";
import { deleteCustomEmoji, getCustomEmoji, postCustomEmoji } from "../features/emoji/actions.ts";
import { getExtraEmoji, getFavicon, getLoadingPicture } from "../features/emoji/pictures.ts";
import { getExternalContent } from "../features/external-content/actions.ts";
import { deleteAttachment, getAttachments } from "../features/files/actions.ts";
import { downloadFile, getFile } from "../features/files/download.ts";
import { getTemporaryFile, getTemporaryLink } from "../features/files/temporary.ts";
import { getOldThumbnail, getThumbnail, getThumbnailStatus } from "../features/files/thumbnail.ts";
import {
  addToUpload,
  getUploadOffset,
  beginUpload,
  cancelUpload,
} from "../features/files/upload/tus.ts";
import { postUpload } from "../features/files/upload/upload.ts";
import {
  getFolders,
  patchFolder,
  patchFolderOrder,
  postFolder,
} from "../features/folders/actions.ts";
import { patchGroup } from "../features/groups/change.ts";
import { postGroup } from "../features/groups/create.ts";
import { postDeactivation } from "../features/groups/deactivate.ts";
import { getGroups, getIsMember, getMembers, getSubgroups } from "../features/groups/list.ts";
import { postMembers, postSubgroups } from "../features/groups/members.ts";
import {
  deleteInvitation,
  deleteInvitationLink,
  getInvitations,
  resendInvitation,
} from "../features/invitations/actions.ts";
import { postConfirmed, showConfirmed, showSent } from "../features/invitations/confirm-pages.ts";
import { postInvitationLink, postInvitations } from "../features/invitations/invite.ts";
import { join, postSignUp, showJoin, showSignUp } from "../features/invitations/pages.ts";
import { postTestWelcome } from "../features/invitations/welcome.ts";
import { deleteKey, fetchOwnKey, listKeys, regenerateKey } from "../features/keys/actions.ts";
import {
  fetchKeyByJwt,
  fetchDevelopmentKey,
  listDevelopmentUsers,
} from "../features/keys/unsupported.ts";
import { showUnsubscribe, unsubscribe } from "../features/email-delivery/unsubscribe.ts";
import {
  getLinkifiers,
  patchLinkifier,
  patchLinkifierOrder,
  postLinkifier,
  removeLinkifier,
} from "../features/linkifiers/actions.ts";
import { removeMessage } from "../features/messages/delete/delete.ts";
import { deleteTopic } from "../features/messages/delete/topic.ts";
import { postFlags, postFlagsOfNarrow } from "../features/messages/flags/flags.ts";
import {
  postAllRead,
  postChannelRead,
  postTopicRead,
} from "../features/messages/flags/mark-read.ts";
import { patchMessage } from "../features/messages/patch/edit.ts";
import { getMessage, renderMessage } from "../features/messages/read/fetch-one.ts";
import { getMessages } from "../features/messages/read/fetch.ts";
import { getHistory } from "../features/messages/read/history.ts";
import { getMatches } from "../features/messages/read/matches.ts";
import { getRecentTopics } from "../features/messages/read/recent-topics.ts";
import { getSummary } from "../features/messages/read/summary.ts";
import { getTopics } from "../features/messages/read/topics.ts";
import { postMessage } from "../features/messages/send/post.ts";
import { deleteMutedUser, postMutedUser } from "../features/mutes/actions.ts";
import { deleteView, getViews, patchView, postView } from "../features/navigation/actions.ts";
import { postOnboardingStep } from "../features/navigation/onboarding.ts";
import { returnFromProvider, redirectToProvider } from "../features/oidc/actions.ts";
import { patchRealm } from "../features/organization/change.ts";
import { getConsents } from "../features/organization/consents.ts";
import { postRealmDeactivation } from "../features/organization/deactivate.ts";
import {
  deleteDomain,
  getDomains,
  patchDomain,
  postDomain,
} from "../features/organization/domains.ts";
import {
  getCompatibility,
  getEmojiData,
  getServerSettings,
} from "../features/organization/server-settings.ts";
import {
  deleteIcon,
  deleteLogo,
  getIcon,
  getLogo,
  postIcon,
  postLogo,
} from "../features/organization/pictures.ts";
import {
  getProfileFields,
  patchProfileField,
  patchProfileFieldOrder,
  postProfileField,
  removeProfileField,
} from "../features/organization/profile-fields.ts";
import { setUp, showFirstKey, showSetUp } from "../features/organization/set-up.ts";
import { getSubdomain } from "../features/organization/subdomain.ts";
import { getRobots } from "../features/pages/browser-files.ts";
import {
  postReset,
  postResetForm,
  showReset,
  showResetForm,
} from "../features/passwords/reset-pages.ts";
import { deletePlayground, postPlayground } from "../features/playgrounds/actions.ts";
import { getRealmPresence, getUserPresence, updatePresence } from "../features/presence/actions.ts";
import {
  deletePushSubscription,
  getPushSubscriptions,
  postNtfyTopic,
  postPushSubscription,
} from "../features/push/actions.ts";
import { testPushSubscription } from "../features/push/jobs.ts";
import { deleteReaction, postReaction } from "../features/reactions/actions.ts";
import { getReadReceipts } from "../features/receipts/actions.ts";
import { referenceRoutes } from "../features/reference/actions.ts";
import { deleteQueue, getEvents } from "../features/register/actions.ts";
import { registerQueue } from "../features/register/register.ts";
import { getReminders, postReminder, removeReminder } from "../features/reminders/actions.ts";
import { postReport } from "../features/reports/actions.ts";
import {
  getScheduled,
  patchScheduled,
  postScheduled,
  removeScheduled,
} from "../features/scheduled/actions.ts";
import {
  getAsset,
  getHelp,
  getHelpPage,
  getManifest,
  getPollWorker,
  getServiceWorker,
  showShell,
  showShellAtMessage,
} from "../features/shell/actions.ts";
import {
  endOneSession,
  endOtherSessions,
  makeAppPassword,
  endAllApiKeys,
  removeAppPassword,
  showAccount,
} from "../features/sign-in/account.ts";
import {
  confirmApp,
  dropApp,
  dropPasskey,
  makePasskey,
  newPasskeyOptions,
  renewCodes,
  setUpApp,
} from "../features/sign-in/enrol.ts";
import { postFind, showFind } from "../features/sign-in/find.ts";
import { chooseOrganization, goToOrganization } from "../features/sign-in/choose-organization.ts";
import { fetchApiKey } from "../features/sign-in/key.ts";
import { setNewPassword } from "../features/sign-in/new-password.ts";
import { createVerifiedAccount, showSignUpForm } from "../features/sign-in/create-account.ts";
import {
  confirmKeyIssue,
  issueKey,
  showSignIn,
  showSignOut,
  signInByForm,
  signOut,
} from "../features/sign-in/pages.ts";
import { signInByLink } from "../features/sign-in/link.ts";
import { signInByProxy } from "../features/sign-in/proxy.ts";
import { passkeyOptions, verifyCode, verifyPasskey } from "../features/sign-in/verify.ts";
import {
  getSnippets,
  patchSnippet,
  postSnippet,
  removeSnippet,
} from "../features/snippets/actions.ts";
import { getUserStatus, updateOwnStatus, updateUserStatus } from "../features/status/actions.ts";
import { postSubmessage } from "../features/submessages/actions.ts";
import { patchMutedTopics, postUserTopic } from "../features/topics/actions.ts";
import { getStylesheet } from "../features/pages/stylesheet.ts";
import { getPasskeyScript } from "../features/two-factor/script.ts";
import { setTyping } from "../features/typing/actions.ts";
import { setTypingOnEdit } from "../features/typing/edit.ts";
import { postJsonHook, postSlackHook } from "../features/webhooks/incoming/incoming.ts";
import { getBotCalls } from "../features/webhooks/recent-calls.ts";
import {
  administrators,
  anyone,
  browserOnly,
  bots,
  hooks,
  memberPeople,
  noGuests,
  owners,
  people,
  senders,
  signedIn,
  spectators,
} from "../server/gate.ts";
import { operatingRoutes } from "./routes/operating.ts";
import { publicRoutes } from "./routes/public.ts";
import { ownRoutes } from "./routes/extensions.ts";
import { openapiRoute } from "../server/plugins/openapi.ts";
import { DELETE, GET, PATCH, POST, PUT, type Route } from "../server/routing.ts";

// prettier-ignore
export const routes: readonly Route[] = [
  // signing in
  GET("/server_settings", anyone, getServerSettings, "nobody's"),
  POST("/fetch_api_key", anyone, fetchApiKey, "by key"),
  POST("root:/json/fetch_api_key", browserOnly, fetchOwnKey),
  POST("/jwt/fetch_api_key", anyone, fetchKeyByJwt, "by key"),
  POST("/dev_fetch_api_key", anyone, fetchDevelopmentKey, "by key"),
  GET("/dev_list_users", anyone, listDevelopmentUsers, "by key"),
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
  GET("/users/me/topics/recent", signedIn, getRecentTopics),
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
  GET("/bots/{bot_id}/calls", memberPeople, getBotCalls),
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
  GET("/tus/{path_id*}", signedIn, getUploadOffset),
  PATCH("/tus/{path_id*}", signedIn, addToUpload),
  DELETE("/tus/{path_id*}", signedIn, cancelUpload),
  GET("/attachments", signedIn, getAttachments),
  DELETE("/attachments/{attachment_id}", signedIn, deleteAttachment),
  GET("root:/user_uploads/{path_id*}", spectators, getFile, "free"),
  GET("root:/user_uploads/download/{path_id*}", spectators, downloadFile, "free"),
  GET("root:/user_uploads/thumbnail/{path_id*}", spectators, getThumbnail, "free"),
  GET("root:/thumbnail", spectators, getOldThumbnail, "free"),
  GET("root:/user_uploads/temporary/{token}/{file}", anyone, getTemporaryFile, "free"),
  POST("/users/me/avatar", signedIn, postAvatar),
  DELETE("/users/me/avatar", signedIn, deleteAvatar),
  // signing in by browser
  GET("root:/", anyone, showShell, "free"),
  GET("root:/m/{message_id}", anyone, showShellAtMessage, "free"),
  GET("root:/assets/{file}", anyone, getAsset, "free"),
  GET("root:/sw.js", anyone, getServiceWorker, "free"),
  GET("root:/poll.js", anyone, getPollWorker, "free"),
  GET("root:/manifest.webmanifest", anyone, getManifest, "free"),
  GET("root:/help/", anyone, getHelp),
  GET("root:/help/{page}/", anyone, getHelpPage),
  GET("root:/login/", anyone, showSignIn),
  POST("root:/login/", anyone, signInByForm),
  GET("root:/accounts/login/", anyone, showSignIn),
  POST("root:/accounts/login/", anyone, signInByForm),
  POST("root:/accounts/login/app/", browserOnly, issueKey),
  POST("root:/accounts/login/app/confirm/", anyone, confirmKeyIssue),
  GET("root:/accounts/go/", anyone, chooseOrganization),
  POST("root:/accounts/go/", anyone, goToOrganization),
  GET("root:/accounts/find/", anyone, showFind),
  POST("root:/accounts/find/", anyone, postFind),
  GET("root:/accounts/logout/", anyone, showSignOut),
  POST("root:/accounts/logout/", browserOnly, signOut),
  GET("root:/accounts/login/social/oidc/{provider}", anyone, redirectToProvider),
  GET("root:/accounts/register/social/oidc/{provider}", anyone, redirectToProvider),
  GET("root:/complete/oidc/{provider}/", anyone, returnFromProvider),
  GET("root:/accounts/login/sso/", anyone, signInByProxy),
  GET("root:/accounts/login/link/{token}/", anyone, signInByLink),
  POST("root:/accounts/login/second-factor/", anyone, verifyCode),
  POST("root:/accounts/login/passkey/", anyone, verifyPasskey),
  POST("root:/accounts/login/passkey/options/", anyone, passkeyOptions),
  GET("root:/static/passkeys.js", anyone, getPasskeyScript, "free"),
  GET("root:/static/{file}", anyone, getStylesheet, "free"),
  // The account page, and the same under /json for its script.
  ...[
    GET("root:/account/", browserOnly, showAccount),
    POST("root:/account/sessions/end/", browserOnly, endOneSession),
    POST("root:/account/sessions/end-others/", browserOnly, endOtherSessions),
    POST("root:/account/keys/", browserOnly, makeAppPassword),
    POST("root:/account/keys/remove/", browserOnly, removeAppPassword),
    POST("root:/account/keys/end-all/", browserOnly, endAllApiKeys),
    POST("root:/account/password/", browserOnly, setNewPassword),
    POST("root:/account/app/", browserOnly, setUpApp),
    POST("root:/account/app/confirm/", browserOnly, confirmApp),
    POST("root:/account/app/remove/", browserOnly, dropApp),
    POST("root:/account/recovery/", browserOnly, renewCodes),
    POST("root:/account/passkeys/", browserOnly, makePasskey),
    POST("root:/account/passkeys/options/", browserOnly, newPasskeyOptions),
    POST("root:/account/passkeys/remove/", browserOnly, dropPasskey),
  ].flatMap((row) => [row, { ...row, path: row.path.replace("root:/", "root:/json/") }]),
  GET("root:/accounts/join/{token}/", anyone, showSignUpForm),
  POST("root:/accounts/join/{token}/", anyone, createVerifiedAccount),
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
  GET("root:/avatar/{user_id_or_email}", spectators, redirectToAvatar, "free"),
  GET("root:/avatar/{user_id_or_email}/medium", spectators, redirectToMediumAvatar, "free"),
  GET("root:/user_avatars/generated/{file}", anyone, generatedPicture, "free"),
  GET("root:/user_avatars/{realm_id}/{file*}", anyone, getPicture, "free"),
  GET("root:/external_content/{signature}/{address}", anyone, getExternalContent, "free"),
  GET("root:/static/emoji.json", anyone, getEmojiData, "free"),
  GET("root:/static/generated/emoji/images/emoji/unicode/zulip.png", anyone, getExtraEmoji, "free"),
  GET("root:/static/images/loading/loader-black.svg", anyone, getLoadingPicture, "free"),
  GET("root:/favicon.ico", anyone, getFavicon, "free"),
  GET("root:/robots.txt", anyone, getRobots, "free"),
  GET("root:/compatibility", anyone, getCompatibility, "free"),
  ...publicRoutes,
  ...operatingRoutes,
  ...ownRoutes,
  openapiRoute(() => routes),
  ...referenceRoutes(() => routes),
];
