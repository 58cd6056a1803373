// Errors of accounts, sign-in, bots and webhooks.
import { Refusal, badRequest, notLoggedIn } from "./general.ts";

// users
export const fullNameTooShort = () => badRequest("Name too short!");
export const fullNameTooLong = () => badRequest("Name too long!");
export const fullNameHasInvalidCharacters = () => badRequest("Invalid characters in name!");
export const nameHasStackedMarks = (limit: number) =>
  badRequest(`A name can have at most ${limit} combining marks on one character.`);
export const fullNameHasInvalidFormat = () => badRequest("Invalid format!");
export const fullNameTaken = () => badRequest("Unique names required in this organization.");
export const emailInvalid = () => badRequest("Bad name or username");
export const emailTaken = () => badRequest("Email is already in use.");
export const notAuthorizedToCreateUsers = () => badRequest("User not authorized to create users");
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
export const newPasswordTooWeak = () => badRequest("New password is too weak!");
export const wrongPassword = () => badRequest("Wrong password!");
export const unsentKeyInvalid = () => badRequest("Invalid public key");
export const emailNotAnAddress = () => badRequest("Enter a valid email address.");
export const signInFailed = () =>
  new Refusal("AUTHENTICATION_FAILED", "Your username or password is incorrect", {}, 401);
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
export const noPresenceData = (who: string) => badRequest(`No presence data for ${who}`);
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
export const botNameTaken = () => badRequest("Name is already in use.");
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
  badRequest("An address to call begins with https:// or http://, and has no password in it.");
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
/** `errors`: each an address, the reason, and whether it is of an account that is off. */
export const invitationsFailed = (
  msg: string,
  errors: readonly (readonly [string, string, boolean])[],
  extra: Record<string, unknown> = {},
) =>
  new Refusal("INVITATION_FAILED", msg, {
    errors,
    sent_invitations: false,
    daily_limit_reached: false,
    license_limit_reached: false,
    ...extra,
  });
export const invitationsTooMany = (limit: number) =>
  invitationsFailed(`Nobody can have more than ${limit} open invitations.`, [], {
    daily_limit_reached: true,
  });
export const signUpClosed = () => badRequest("Joining needs an invitation.");
export const proofMissing = () =>
  badRequest("Your browser has not done what the form asks for, or took too long. Try once more.");
export const tooManySignUps = () =>
  badRequest("Too many people try to join from your network. Try again in an hour.");

// sessions
/** To who asks with a cookie, or should. */
export const noSession = () =>
  new Refusal("UNAUTHORIZED", notLoggedIn().message, {}, 401, {
    "WWW-Authenticate": 'Session realm="zulip"',
  });
/** The browser is somebody else's now than when the page asked; nothing was done. */
export const sessionOfAnother = () =>
  new Refusal("SESSION_OF_ANOTHER", "Another account is signed in to this browser", {}, 403);
const csrfFailed = (reason: string) =>
  new Refusal("CSRF_FAILED", `CSRF error: ${reason}`, { reason }, 403);
export const csrfTokenMissing = () => csrfFailed("CSRF token missing.");
export const csrfTokenWrong = () => csrfFailed("CSRF token incorrect.");
export const originForeign = () => csrfFailed("The request comes from another site.");
export const originUntold = () => csrfFailed("The request does not tell which site it comes from.");
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
    "This way to sign in is switched off in this organization.",
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
    "Your account has a second factor. Sign in by browser, or give as the password an app " +
      "password, which you make on your account page.",
    {},
    401,
  );
export const jwtSignInOff = () =>
  badRequest("JWT authentication is not enabled for this organization");
export const developmentSignInOff = () => badRequest("DevAuthBackend not enabled.");
export const developmentOnly = () => badRequest("Endpoint not available in production.");
/** Tries at the old password, of who wants a new one. */
export const tooManyPasswordTries = (seconds: number) =>
  badRequest(`You're making too many attempts! Try again in ${Math.ceil(seconds)} seconds.`);
export const slashMissing = () => badRequest("There should be a leading slash in the zcommand.");
export const ownPasswordWrong = () => badRequest("Password is incorrect.");
/** For users without a password. */
export const signInTooOld = () =>
  badRequest("This needs a sign-in of the last ten minutes. Sign out and in again, then go on.");
export const otpInvalid = () => badRequest("Invalid OTP");
export const otpsConfused = () =>
  badRequest("Can't use both mobile_flow_otp and desktop_flow_otp together.");
/** The sign-in link was not opened by a person. */
export const notOpened = () =>
  new Refusal("BAD_REQUEST", "This address works only when it is opened as a page.", {}, 403);
export const signInLinkGone = () =>
  new Refusal("BAD_REQUEST", "This link was used, or it is not for you.", {}, 410);
export const signInExpired = () => badRequest("That took too long. Sign in again.");
export const joinByBrowser = (email: string) =>
  new Refusal(
    "AUTHENTICATION_FAILED",
    `There is no account with the address ${email} yet. Sign in by browser to make one.`,
    {},
    401,
  );

// signing in by way of other servers
const notVouchedFor = (message: string) => new Refusal("AUTHENTICATION_FAILED", message, {}, 401);
const unavailable = (message: string) =>
  new Refusal("AUTHENTICATION_UNAVAILABLE", message, {}, 503);
export const signInNotBegun = () =>
  badRequest("This sign-in was not begun in this browser, or it is over. Sign in again.");
export const signInDenied = (provider: string) =>
  notVouchedFor(`${provider} did not say who you are, because it was not allowed to.`);
export const signInNotTrusted = (provider: string) =>
  notVouchedFor(`What ${provider} said of you could not be trusted. Sign in again.`);
export const addressNotVouchedFor = (provider: string) =>
  notVouchedFor(`${provider} does not say that your e-mail address is yours. Confirm it there.`);
export const providerUnavailable = (provider: string) =>
  unavailable(`${provider} cannot be asked at the moment. Try again later.`);
export const directoryUnavailable = () =>
  unavailable("The directory cannot be asked for your password at the moment. Try again later.");
export const directoryNamesNoAddress = () =>
  notVouchedFor("The directory has no e-mail address for you. Ask your administrator for one.");
export const proxyNamesNobody = () =>
  notVouchedFor("Nobody has told this server who you are, so this way to sign in is not open.");

// accounts
export const deletedForGood = () => badRequest("This account was deleted, and does not come back.");

// webhooks
export const webhookKeyInvalid = () => new Refusal("INVALID_API_KEY", "Invalid API key", {}, 401);
export const payloadMalformed = (why: string) =>
  new Refusal(
    "INVALID_JSON",
    `Malformed JSON: ${why}. Send JSON as the body, or in a form's field "payload".`,
  );
export const eventHeaderMissing = (header: string) =>
  new Refusal("MISSING_HTTP_EVENT_HEADER", `Missing the HTTP event header '${header}'`, { header });
export const payloadAnomalous = (name: string, why: string) =>
  new Refusal("ANOMALOUS_WEBHOOK_PAYLOAD", `The webhook '${name}' cannot post this: ${why}.`);

// mail
export const notAuthorizedToChangeEmails = () =>
  badRequest("User not authorized to change user emails");
export const newEmailInvalid = () => badRequest("Invalid new email address.");
export const newEmailRefused = (why: string) => badRequest(`New email value error: ${why}`);
export const emailChangesDisabled = () =>
  badRequest("Email address changes are disabled in this organization.");
export const addressesUnconfirmed = () =>
  badRequest(
    "This server sends no mail by which somebody could show that an address is theirs. An " +
      "administrator can invite people by their addresses, or change an address.",
  );
export const linkEnded = () => badRequest("The link was used, or it has expired.");
export const tooManyMails = (retry_after = 3_600) =>
  new Refusal(
    "RATE_LIMIT_HIT",
    "Too many letters were asked for. Try again later.",
    { "retry-after": retry_after },
    429,
    { "Retry-After": String(Math.ceil(retry_after)) },
  );
export const settingOwnerOnly = () => badRequest("Cannot change this setting for other users.");
export const targetsMissing = () => badRequest("Either user_ids or group_ids must be provided.");
export const welcomeMessageEmpty = () => badRequest("Message must not be empty");

// push
export const pushSubscriptionNotFound = () => badRequest("Invalid push subscription ID");
export const pushAddressInvalid = () => badRequest("That is no address of a push service.");
export const pushPointInvalid = () => badRequest("Those are no keys of a push subscription.");
export const ntfyTopicInvalid = () =>
  badRequest("Give the address of a topic, such as https://ntfy.example.com/my-secret-topic");
export const pushDeviceNotRecognized = () =>
  new Refusal("INVALID_PUSH_DEVICE_TOKEN", "Device not recognized");
export const noActivePushDevice = () =>
  new Refusal("NO_ACTIVE_PUSH_DEVICE", "No device is registered for push notifications.");

// second factors
export const codeWrong = () =>
  new Refusal("AUTHENTICATION_FAILED", "That code is wrong, or was used already.", {}, 401);
export const passkeyInvalid = () =>
  new Refusal("AUTHENTICATION_FAILED", "That passkey is not known here.", {}, 401);
export const passkeyNotFound = () => badRequest("No such passkey");
export const passkeysTooMany = () => badRequest("You have too many passkeys. Remove one first.");
export const nameMissing = () => badRequest("Give it a name.");
