// Errors of accounts, sign-in, bots and webhooks.
import { Refusal, badRequest, notLoggedIn } from "./general.ts";

// users
export const fullNameTooShort = () => badRequest("Name too short!").withField("full_name");
export const fullNameTooLong = () => badRequest("Name too long!").withField("full_name");
export const fullNameHasInvalidCharacters = () =>
  badRequest("Invalid characters in name!").withField("full_name");
export const nameHasStackedMarks = (limit: number) =>
  badRequest(`A name can have at most ${limit} combining marks on one character.`);
export const fullNameHasInvalidFormat = () => badRequest("Invalid format!").withField("full_name");
export const fullNameTaken = () =>
  badRequest("Unique names required in this organization.").withField("full_name");
export const emailInvalid = () => badRequest("Bad name or username").withField("email");
export const emailTaken = () => badRequest("Email is already in use.").withField("email");
export const notAuthorizedToCreateUsers = () => badRequest("User not authorized to create users");
export const isOwnAccount = () =>
  badRequest("This is your own account. Change it in your account settings.");
export const ownerRequired = () =>
  new Refusal("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
export const onlyOwnerStays = () =>
  badRequest("The owner permission cannot be removed from the only organization owner.");
export const onlyOwnerStaysActive = () =>
  badRequest("Cannot deactivate the only organization owner");
export const lastUserStaysActive = (is_last_owner: boolean) =>
  new Refusal(
    "CANNOT_DEACTIVATE_LAST_USER",
    `You can't deactivate the only ${is_last_owner ? "organization owner" : "user"}.`,
    { is_last_owner, entity: is_last_owner ? "organization owner" : "user" },
  );

// signing in, keys, passwords
export const passwordTooWeak = () => badRequest("The password is too weak.");
export const newPasswordTooWeak = () =>
  badRequest("New password is too weak!").withField("new_password");
export const wrongPassword = () => badRequest("Wrong password!").withField("old_password");
export const unsentKeyInvalid = () => badRequest("Invalid public key");
export const emailNotAnAddress = () => badRequest("Enter a valid email address.");
export const signInFailed = () =>
  new Refusal("AUTHENTICATION_FAILED", "Your username or password is incorrect", {}, 401);
/**
 * The text names the field that the sign-in page shows: email address, or user name and email
 * address.
 */
export const addressOrPasswordWrong = () =>
  new Refusal("AUTHENTICATION_FAILED", "Your email address or password is incorrect", {}, 401);
export const nameAddressOrPasswordWrong = () =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    "Your username, email address or password is incorrect",
    {},
    401,
  );
export const signInDeactivated = () =>
  new Refusal("USER_DEACTIVATED", "Account is deactivated", {}, 401);
export const noOrganizationHere = () =>
  new Refusal("NONEXISTENT_SUBDOMAIN", "Invalid subdomain", {}, 404);
export const tooManySignIns = (seconds: number) =>
  new Refusal("RATE_LIMIT_HIT", "API usage exceeded rate limit", { "retry-after": seconds }, 429, {
    "Retry-After": String(Math.ceil(seconds)),
  });
export const apiKeyNotFound = () => badRequest("No such API key");

// presence, typing, settings, status
export const statusInvalid = (status: string) => badRequest(`Invalid status: ${status}`);
export const presenceNotOfBots = () => badRequest("Presence is not supported for bot users.");
export const noPresenceData = (name: string) => badRequest(`No presence data for ${name}`);
export const typingToMissing = () =>
  new Refusal("REQUEST_VARIABLE_MISSING", "Missing 'to' argument", { var_name: "to" });
export const typingToEmpty = () => badRequest("Empty 'to' list");
export const typingChannelMissing = () => badRequest("Missing channel ID");
export const typingTopicMissing = () => badRequest("Missing topic");
export const typingOffInChannels = () =>
  badRequest("User has disabled typing notifications for channel messages");
export const typingOffInDirects = () =>
  badRequest("User has disabled typing notifications for direct messages");
export const timezoneInvalid = () =>
  badRequest("Invalid timezone: Value error, Not a recognized time zone");
export const notificationSoundInvalid = (sound: string) =>
  badRequest(`Invalid notification sound '${sound}'`);
export const batchingPeriodInvalid = (seconds: number) =>
  badRequest(`Invalid email batching period: ${seconds} seconds`);
export const slashCommandUnknown = (command: string) =>
  badRequest(`No such command: ${command.replace(/^\//, "")}`);
export const noNewStatus = () => badRequest("Client did not pass any new values.");
export const emojiNameMissing = () =>
  badRequest("Client must pass emoji_name if they pass either emoji_code or reaction_type.");

// devices and push tokens
export const deviceNotFound = () => badRequest("Invalid device ID");
export const pushTokenLengthInvalid = () => badRequest("Empty or invalid length token");
export const apnsTokenInvalid = () => badRequest("Invalid APNS token");
export const pushTokenNotFound = () => badRequest("Token does not exist");
export const pushKeyIncomplete = () =>
  badRequest("push_key_id and push_key must be given together");
export const pushKeyInvalid = () => badRequest("Invalid push key");
export const pushTokenIncomplete = () =>
  badRequest("A push registration needs a push key, or a whole push token, or both");
export const pushTokenIdInvalid = () => badRequest("Invalid token_id");
export const pushServiceNotConfigured = () =>
  new Refusal("PUSH_SERVICE_NOT_CONFIGURED", "The server has no push notification service.");

// bots
export const botNameTaken = () => badRequest("Name is already in use.").withField("full_name");
export const botNamesakeActive = (full_name: string) =>
  badRequest(
    `There is already an active bot named "${full_name}" in this organization. To reactivate ` +
      "this bot, you must rename or deactivate the other one first.",
  );
export const botAboveOwner = () => badRequest("A bot cannot have more rights than its owner.");
export const botTypeInvalid = () => badRequest("Invalid bot type");
export const interfaceInvalid = () => badRequest("Invalid interface type");
export const botPictureNotSingle = () => badRequest("You may only upload one file at a time");
export const botConfigInvalid = () => badRequest("Invalid configuration data!");
export const embeddedBotsDisabled = () => badRequest("Embedded bots are not enabled.");
export const integrationNotFound = (name: string) => badRequest(`Invalid integration '${name}'.`);
export const payloadUrlInvalid = () =>
  badRequest(
    "The URL must begin with https:// or http://, and must not contain a password.",
  ).withField("payload_url");
export const newBotOwnerNotFound = () => badRequest("Failed to change owner, no such user");
export const newBotOwnerDeactivated = () =>
  badRequest("Failed to change owner, user is deactivated");
export const newBotOwnerIsBot = () =>
  badRequest("Failed to change owner, bots can't own other bots");
export const botKeyUnreadable = () =>
  badRequest("This bot's API key cannot be shown again. Regenerate it to get a new one.");
export const botStorageFull = (excess: number, limit: number) =>
  badRequest(
    `Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`,
  );
export const botStorageKeyNotFound = () => badRequest("Key does not exist.");

// invitations
export const administratorRequired = () => badRequest("Must be an organization administrator");
export const invitationNotFound = () => badRequest("No such invitation");
export const invitationAlreadyRevoked = () => badRequest("Invitation has already been revoked");
export const inviteesMissing = () => badRequest("You must specify at least one email address.");
export const invitedChannelNotFound = (stream_id: number) =>
  badRequest(`Invalid channel ID ${stream_id}. No invites were sent.`);
export const subscribingOthersNotAllowed = () =>
  badRequest("You do not have permission to subscribe other users to channels.");
/** `errors`: for each address, the reason, and whether it belongs to a deactivated account. */
export const invitationsFailed = (
  msg: string,
  errors: readonly (readonly [string, string, boolean])[],
  fields: Record<string, unknown> = {},
) =>
  new Refusal("INVITATION_FAILED", msg, {
    errors,
    sent_invitations: false,
    daily_limit_reached: false,
    license_limit_reached: false,
    ...fields,
  });
export const invitationsTooMany = (limit: number) =>
  invitationsFailed(`A user can have at most ${limit} pending invitations.`, [], {
    daily_limit_reached: true,
  });
export const signUpClosed = () => badRequest("You need an invitation to join.");
export const proofMissing = () =>
  badRequest(
    "Your browser did not complete the check of the form, or it took too long. Try again.",
  );
export const tooManySignUps = () =>
  badRequest("Too many attempts to join from your network. Try again in an hour.");

// sessions
/** The error of requests that use a session cookie, or should. */
export const noSession = () =>
  new Refusal("UNAUTHORIZED", notLoggedIn().message, {}, 401, {
    "WWW-Authenticate": 'Session realm="zulip"',
  });
/**
 * The browser is now signed in as another user than when the page was loaded; nothing was changed.
 */
export const sessionOfAnother = () =>
  new Refusal("SESSION_OF_ANOTHER", "Another account is signed in to this browser", {}, 403);
const csrfFailed = (reason: string) =>
  new Refusal("CSRF_FAILED", `CSRF error: ${reason}`, { reason }, 403);
export const csrfTokenMissing = () => csrfFailed("CSRF token missing.");
export const csrfTokenWrong = () => csrfFailed("CSRF token incorrect.");
export const originForeign = () => csrfFailed("The request comes from another site.");
export const originMissing = () => csrfFailed("The request does not say which site it comes from.");
export const sessionNotFound = () => badRequest("No such session");

// ways to sign in
export const passwordSignInOff = () =>
  new Refusal(
    "PASSWORD_AUTH_DISABLED",
    "Password authentication is disabled in this organization",
    {},
    401,
  );
export const signInMethodOff = () =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    "This sign-in method is disabled in this organization.",
    {},
    401,
  );
export const noAccountYet = (email: string) =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    `There is no account with the address ${email}. To join, you need an invitation.`,
    {},
    401,
  );
export const secondFactorNeeded = () =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    "Your account uses two-factor authentication. Sign in with the browser, or use an app " +
      "password, which you can create in your account settings.",
    {},
    401,
  );
export const jwtSignInOff = () =>
  badRequest("JWT authentication is not enabled for this organization");
export const developmentSignInOff = () => badRequest("DevAuthBackend not enabled.");
export const developmentOnly = () => badRequest("Endpoint not available in production.");
/** Failed attempts at the current password when changing it. */
export const tooManyPasswordTries = (seconds: number) =>
  badRequest(`You're making too many attempts! Try again in ${Math.ceil(seconds)} seconds.`);
export const slashMissing = () => badRequest("There should be a leading slash in the zcommand.");
export const ownPasswordWrong = () => badRequest("Password is incorrect.").withField("password");
/** The error for users without a password whose sign-in is too long ago. */
export const signInTooOld = () =>
  badRequest(
    "For this action, you must have signed in within the last ten minutes. Sign in again.",
  );
export const otpInvalid = () => badRequest("Invalid OTP");
export const otpsConfused = () =>
  badRequest("Can't use both mobile_flow_otp and desktop_flow_otp together.");
/**
 * The request for the sign-in link did not come from a person who opened it, but from a script or
 * another page.
 */
export const notOpened = () =>
  new Refusal("BAD_REQUEST", "This URL only works when it is opened in the browser.", {}, 403);
export const signInLinkGone = () =>
  new Refusal("BAD_REQUEST", "This link was already used, or it is for another account.", {}, 410);
export const signInExpired = () => badRequest("The sign-in took too long. Sign in again.");
export const joinByBrowser = (email: string) =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    `There is no account with the address ${email} yet. Create one in the browser.`,
    {},
    401,
  );

// signing in by way of other servers
const authenticationFailed = (message: string) =>
  new Refusal("AUTHENTICATION_FAILED", message, {}, 401);
const unavailable = (message: string) =>
  new Refusal("AUTHENTICATION_UNAVAILABLE", message, {}, 503);
export const signInNotStarted = () =>
  badRequest("This sign-in was started in another browser, or it has expired. Sign in again.");
export const signInDenied = (provider: string) =>
  authenticationFailed(`${provider} did not confirm who you are, because access was denied.`);
export const signInNotTrusted = (provider: string) =>
  authenticationFailed(`The response of ${provider} could not be verified. Sign in again.`);
export const emailNotVerified = (provider: string) =>
  authenticationFailed(`${provider} has not verified your email address. Verify it there.`);
export const providerUnavailable = (provider: string) =>
  unavailable(`${provider} cannot be reached at the moment. Try again later.`);
export const directoryUnavailable = () =>
  unavailable(
    "The directory that checks your password cannot be reached at the moment. Try again later.",
  );
export const directoryNamesNoAddress = () =>
  authenticationFailed(
    "The directory has no email address for you. Ask your administrator to add one.",
  );
export const proxyUserUnknown = () =>
  authenticationFailed(
    "The proxy did not say who you are, so this sign-in method is not available.",
  );

// accounts
export const deletedForGood = () => badRequest("This account was deleted and cannot be restored.");

// webhooks
export const webhookKeyInvalid = () => new Refusal("INVALID_API_KEY", "Invalid API key", {}, 401);
export const payloadMalformed = (reason: string) =>
  new Refusal(
    "INVALID_JSON",
    `Malformed JSON: ${reason}. Send JSON as the body, or in a form's field "payload".`,
  );
export const eventHeaderMissing = (header: string) =>
  new Refusal("MISSING_HTTP_EVENT_HEADER", `Missing the HTTP event header '${header}'`, { header });
export const payloadAnomalous = (name: string, reason: string) =>
  new Refusal("ANOMALOUS_WEBHOOK_PAYLOAD", `The webhook '${name}' cannot post this: ${reason}.`);

// mail
export const notAuthorizedToChangeEmails = () =>
  badRequest("User not authorized to change user emails");
export const newEmailInvalid = () => badRequest("Invalid new email address.").withField("email");
export const newEmailRefused = (reason: string) =>
  badRequest(`New email value error: ${reason}`).withField("email");
export const emailChangesDisabled = () =>
  badRequest("Email address changes are disabled in this organization.").withField("email");
export const addressesUnconfirmed = () =>
  badRequest(
    "This server cannot send email, so you cannot confirm a new address. An administrator can " +
      "invite you with that address, or change the address of your account.",
  ).withField("email");
export const linkEnded = () => badRequest("The link was already used, or it has expired.");
export const tooManyMails = (retry_after = 3_600) =>
  new Refusal(
    "RATE_LIMIT_HIT",
    "Too many emails were requested. Try again later.",
    { "retry-after": retry_after },
    429,
    { "Retry-After": String(Math.ceil(retry_after)) },
  );
export const settingOwnerOnly = () => badRequest("Cannot change this setting for other users.");
export const targetsMissing = () => badRequest("Either user_ids or group_ids must be provided.");
export const welcomeMessageEmpty = () => badRequest("Message must not be empty");

// push
export const pushSubscriptionNotFound = () => badRequest("Invalid push subscription ID");
export const pushAddressInvalid = () => badRequest("Invalid address of a push service.");
export const pushPointInvalid = () => badRequest("Invalid keys of the push subscription.");
export const ntfyTopicInvalid = () =>
  badRequest(
    "The address must be that of a topic, such as https://ntfy.example.com/my-secret-topic",
  );
export const pushDeviceNotRecognized = () =>
  new Refusal("INVALID_PUSH_DEVICE_TOKEN", "Device not recognized");
export const noActivePushDevice = () =>
  new Refusal("NO_ACTIVE_PUSH_DEVICE", "No device is registered for push notifications.");

// second factors
export const codeWrong = () =>
  new Refusal("AUTHENTICATION_FAILED", "The code is wrong, or it was already used.", {}, 401);
export const passkeyInvalid = () =>
  new Refusal("AUTHENTICATION_FAILED", "This passkey is not registered here.", {}, 401);
export const passkeyNotFound = () => badRequest("No such passkey");
export const passkeysTooMany = () =>
  badRequest("You have reached the maximum number of passkeys. Remove one first.");
export const nameMissing = () => badRequest("Enter a name.").withField("name");
