// What is refused: every refusal with its code, status and words.

export type ErrorCode =
  | "BAD_REQUEST"
  | "REQUEST_VARIABLE_MISSING"
  | "REQUEST_VARIABLE_INVALID"
  | "REQUEST_CONFUSING_VAR"
  | "UNAUTHORIZED"
  | "UNAUTHENTICATED_USER"
  | "UNAUTHORIZED_PRINCIPAL"
  | "AUTHENTICATION_FAILED"
  | "USER_DEACTIVATED"
  | "REALM_DEACTIVATED"
  | "NONEXISTENT_SUBDOMAIN"
  | "RATE_LIMIT_HIT"
  | "BAD_EVENT_QUEUE_ID"
  | "BAD_NARROW"
  | "STREAM_DOES_NOT_EXIST"
  | "CHANNEL_ALREADY_EXISTS"
  | "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
  | "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"
  | "EXPECTATION_MISMATCH"
  | "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
  | "REACTION_ALREADY_EXISTS"
  | "REACTION_DOES_NOT_EXIST"
  | "SYSTEM_GROUP_REQUIRED"
  | "CANNOT_DEACTIVATE_LAST_USER"
  | "CANNOT_DEACTIVATE_GROUP_IN_USE"
  | "PUSH_SERVICE_NOT_CONFIGURED"
  | "PERMISSION_DENIED"
  | "BAD_IMAGE"
  | "REALM_UPLOAD_QUOTA"
  | "INVITATION_FAILED"
  | "SERVER_NOT_READY"
  | "STORE_FULL"
  | "INTERNAL_SERVER_ERROR";

/** An error that a client caused, and what the client is told. */
export class Refusal extends Error {
  constructor(
    readonly errCode: ErrorCode | undefined,
    message: string,
    readonly extra: Record<string, unknown> = {},
    readonly status: number = 400,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = "Refusal";
  }
}

export const badRequest = (msg: string, extra: Record<string, unknown> = {}) =>
  new Refusal("BAD_REQUEST", msg, extra);

export const badEventQueueId = (queue_id: string) =>
  new Refusal("BAD_EVENT_QUEUE_ID", `Bad event queue ID: ${queue_id}`, { queue_id });

export const eventPruned = (id: number) =>
  badRequest(`An event newer than ${id} has already been pruned!`);

export const eventNotInQueue = (id: number) => badRequest(`Event ${id} was not in this queue`);

// channels
export const channelNotFound = () => badRequest("Invalid channel ID");
export const channelNameNotFound = (name: string) => badRequest(`Invalid channel name '${name}'`);
export const channelNameTaken = (channel_name: string) =>
  new Refusal("CHANNEL_ALREADY_EXISTS", "Channel name is already in use.", { channel_name }, 409);
export const channelRenamedToTaken = () => badRequest("Channel name is already in use.");
export const channelNameUnchanged = () => badRequest("Channel already has that name.");
export const channelNameEmpty = () => badRequest("Channel name can't be empty.");
export const channelNameTooLong = (limit: number) =>
  badRequest(`Channel name too long (limit: ${limit} characters).`);
export const channelNameUnprintable = (position: number) =>
  badRequest(`Invalid character in channel name, at position ${position}.`);
export const channelNotAccessible = (name: string) =>
  badRequest(`Unable to access channel (${name}).`);
export const channelsNotFound = (names: readonly string[]) =>
  badRequest(`Channel(s) (${names.join(", ")}) do not exist`);
export const channelNotAdministered = () =>
  badRequest("You do not have permission to administer this channel.");
export const channelAlreadyArchived = () => badRequest("Channel is already deactivated");
export const channelNotArchived = () => badRequest("Channel is not currently deactivated");
export const channelContentRequired = () => badRequest("Channel content access is required.");
export const channelFolderNotFound = () => badRequest("Invalid channel folder ID");
export const channelKindInvalid = () => badRequest("Invalid parameters");
export const channelTopicsMustBeOpen = () =>
  badRequest("Everyone must be able to create topics in a private channel with protected history.");
export const webPublicChannelsOff = () => badRequest("Web-public channels are not enabled.");
export const privateChannelWithoutSubscribers = () =>
  badRequest("Channel is private and have no subscribers");
export const moderationChannelPublic = () =>
  badRequest("Moderation request channel must be private.");
export const namedTopicsExist = (empty_topic_display_name: string) =>
  badRequest(`All messages must be in the topic '${empty_topic_display_name}' first.`, {
    empty_topic_display_name,
  });
export const defaultChannelPrivate = () => badRequest("A default channel cannot be private.");
export const privateChannelMadeDefault = () =>
  badRequest("Private channels cannot be made default.");
export const defaultChannelsNotAllowed = () =>
  badRequest("You do not have permission to change default channels.");
export const badVariable = (var_name: string, bad_value: unknown) =>
  new Refusal("REQUEST_VARIABLE_INVALID", `Bad value for '${var_name}': ${String(bad_value)}`, {
    var_name,
    bad_value,
  });
export const invalidValue = (name: string) => badRequest(`Invalid ${name}`);
export const tooLong = (name: string, limit: number) =>
  badRequest(`${name} is too long (limit: ${limit} characters)`);
export const insufficientPermission = () => badRequest("Insufficient permission");
export const userNotFound = () => badRequest("No such user");
export const userIsDeactivated = () => badRequest("User is deactivated");

// subscriptions
export const addColorInvalid = () => badRequest("add.color is not a valid hex color code");
export const colorInvalid = () => badRequest("color is not a valid hex color code");
export const notSubscribed = (stream_id: number) =>
  badRequest(`Not subscribed to channel ID ${stream_id}`);
export const subscriptionPropertyUnknown = (property: string) =>
  badRequest(`Unknown subscription property: ${property}`);
export const notBoolean = (name: string) => badRequest(`${name} is not a boolean`);
export const notString = (name: string) => badRequest(`${name} is not a string`);

export const subscriptionsNotGiven = () =>
  badRequest('Nothing to do. Specify at least one of "add" or "delete".');

// topic preferences, muted people
export const topicNotMuted = () => badRequest("Topic is not muted");
export const channelGivenTwice = () =>
  badRequest("Unsupported parameter combination: stream_id, stream");
export const muteOfSelf = () => badRequest("Cannot mute self");
export const alreadyMuted = () => badRequest("User already muted");
export const notMuted = () => badRequest("User is not muted");

// group settings
export const groupNotFound = () => badRequest("Invalid user group");
export const userGroupIdInvalid = (id: number) => badRequest(`Invalid user group ID: ${id}`);
export const userIdInvalid = (id: number) => badRequest(`Invalid user ID: ${id}`);
export const groupDeactivated = () => badRequest("User group is deactivated.");
export const groupSettingNotAllowed = (setting: string, group: string) =>
  badRequest(`'${setting}' setting cannot be set to '${group}' group.`);
export const systemGroupRequired = (setting_name: string) =>
  new Refusal("SYSTEM_GROUP_REQUIRED", `'${setting_name}' must be a system user group.`, {
    setting_name,
  });
export const expectationMismatch = (field_name: string) =>
  new Refusal("EXPECTATION_MISMATCH", `'${field_name}' value does not match the expected value.`, {
    field_name,
  });

// register
export const narrowOperatorNotSupported = (operator: string) =>
  badRequest(`Operator ${operator} not supported.`);
export const notAuthorizedForQuery = () => badRequest("User not authorized for this query");

// the organization
export const alreadySetUp = () => badRequest("An organization is already set up here.");
export const notSetUp = () => badRequest("No organization is set up here yet.");
export const realmNameInvalid = () =>
  badRequest("The name of an organization has 1 to 40 characters.");
export const serverNotReady = () =>
  new Refusal("SERVER_NOT_READY", "The server is not ready.", {}, 500);

// users
export const fullNameTooShort = () => badRequest("Name too short!");
export const fullNameTooLong = () => badRequest("Name too long!");
export const fullNameHasInvalidCharacters = () => badRequest("Invalid characters in name!");
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
export const noNewStatus = () => badRequest("Client did not pass any new values.");
export const emojiNameMissing = () =>
  badRequest("Client must pass emoji_name if they pass either emoji_code or reaction_type.");

// messages
export const messageNotFound = () => badRequest("Invalid message(s)");
export const messageEmpty = () => badRequest("Message must not be empty");
export const messageWithNull = () => badRequest("Message must not contain null bytes");
export const messageUnrenderable = () => badRequest("Unable to render message");
export const topicMissing = () => badRequest("Missing topic");
export const topicUnprintable = (position: number) =>
  badRequest(`Invalid character in topic, at position ${position}!`);
export const emptyTopicNotAllowed = (empty_topic_display_name: string) =>
  badRequest(
    `Sending messages to the ${empty_topic_display_name} is not allowed in this channel.`,
    { empty_topic_display_name },
  );
export const namedTopicNotAllowed = (empty_topic_display_name: string) =>
  badRequest(`Only the ${empty_topic_display_name} topic is allowed in this channel.`, {
    empty_topic_display_name,
  });
export const channelNotSingle = () => badRequest("Expected exactly one channel");
export const channelTypeInvalid = () => badRequest("Invalid data type for channel");
export const channelMissing = () => badRequest("Missing channel");
export const recipientsTypeInvalid = () => badRequest("Invalid data type for recipients");
export const recipientsMixed = () =>
  badRequest("Recipient lists may contain emails or user IDs, but not both.");
export const recipientsMissing = () => badRequest("Message must have recipients");
export const recipientEmailInvalid = (email: string) => badRequest(`Invalid email '${email}'`);
export const recipientIdInvalid = (user_id: number) => badRequest(`Invalid user ID ${user_id}`);
export const channelOfNameNotFound = (stream: string) =>
  new Refusal("STREAM_DOES_NOT_EXIST", `Channel '${stream}' does not exist`, { stream });
export const channelOfIdNotFound = (stream_id: number) =>
  new Refusal("STREAM_DOES_NOT_EXIST", `Channel with ID '${stream_id}' does not exist`, {
    stream_id,
  });
export const postingNotAllowed = () =>
  badRequest("You do not have permission to post in this channel.");
export const sendingNotAuthorized = (name: string) =>
  badRequest(`Not authorized to send to channel '${name}'`);
export const topicCreationNotAllowed = () =>
  badRequest("You do not have permission to create new topics in this channel.");
export const recipientsHidden = () =>
  badRequest("You do not have permission to access some of the recipients.");
export const recipientDeactivated = (email: string) =>
  badRequest(`'${email}' is no longer using Skein.`);
export const directMessagesDisabled = () =>
  badRequest("Direct messages are disabled in this organization.");
export const directMessageUnauthorized = () =>
  badRequest("This conversation does not include any users who can authorize it.");
export const directMessageStartNotAllowed = () =>
  badRequest("You do not have permission to initiate direct message conversations.");
export const widgetNotJson = () => badRequest("Widgets: API programmer sent invalid JSON content");
export const widgetInvalid = (reason: string) => badRequest(`Widgets: ${reason}`);
export const streamWildcardNotAllowed = () =>
  new Refusal(
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to use channel wildcard mentions in this channel.",
  );
export const topicWildcardNotAllowed = () =>
  new Refusal(
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
    "You do not have permission to use topic wildcard mentions in this topic.",
  );
export const groupMentionNotAllowed = (name: string) =>
  badRequest(`You are not allowed to mention user group '${name}'.`);
export const idempotencyKeyTooLong = (limit: number) =>
  badRequest(`Idempotency-Key is too long (limit: ${limit} characters)`);

// requests
export const missingParameter = (var_name: string) =>
  new Refusal("REQUEST_VARIABLE_MISSING", `Missing '${var_name}' argument`, { var_name });
export const confusingParameters = (var_name1: string, var_name2: string) =>
  new Refusal(
    "REQUEST_CONFUSING_VAR",
    `Can't decide between '${var_name1}' and '${var_name2}' arguments`,
    { var_name1, var_name2 },
  );
/** `msg` names the parameter, or the place inside it. */
export const malformed = (msg: string) => badRequest(msg);
export const malformedEncoding = () => badRequest("The request is not encoded as UTF-8");
export const malformedForm = () => badRequest("The multipart form is malformed");
export const tooManyParameters = () => badRequest("Too many parameters");
export const bodyTooLarge = () => new Refusal("BAD_REQUEST", "The request is too large", {}, 413);
export const pathNotFound = () => new Refusal("BAD_REQUEST", "Not Found", {}, 404);
export const methodNotAllowed = (allowed_methods: string[]) =>
  new Refusal(undefined, "Method Not Allowed", { allowed_methods }, 405, {
    Allow: allowed_methods.join(", "),
  });
export const hostUnknown = () => new Refusal("NONEXISTENT_SUBDOMAIN", "Invalid subdomain", {}, 404);
export const rateLimitHit = (seconds: number) =>
  new Refusal("RATE_LIMIT_HIT", "API usage exceeded rate limit", { "retry-after": seconds }, 429, {
    "Retry-After": String(Math.ceil(seconds)),
  });
export const storeFull = (request_id: string) =>
  new Refusal(
    "STORE_FULL",
    "The server cannot write to its disk at the moment",
    { request_id },
    503,
  );
export const internalError = (request_id: string) =>
  new Refusal("INTERNAL_SERVER_ERROR", "Internal server error", { request_id }, 500);

// credentials
const unauthorized = (msg: string) =>
  new Refusal("UNAUTHORIZED", msg, {}, 401, { "WWW-Authenticate": 'Basic realm="zulip"' });
export const notLoggedIn = () =>
  unauthorized("Not logged in: API authentication or user session required");
/** To a browser that opens a page or file: where one signs in. */
export const loginFirst = (next: string) =>
  new Refusal("UNAUTHORIZED", notLoggedIn().message, {}, 302, {
    Location: `/login/?next=${encodeURIComponent(next)}`,
  });
export const keyMalformed = () => unauthorized("Malformed API key");
export const keyInvalid = () => unauthorized("Invalid API key");
export const keyOfAnotherRealm = () =>
  unauthorized("Account is not associated with this subdomain");
export const accountDeactivated = () => unauthorized("Account is deactivated");
export const webhookBotNotAllowed = () =>
  unauthorized("This API is not available to incoming webhook bots.");
export const malformedAuthorization = () =>
  unauthorized("Invalid authorization header for basic auth");
export const basicAuthenticationRequired = () =>
  badRequest("This endpoint requires HTTP basic authentication.");
/** To spectators, where an endpoint shows them some things and not others. */
export const spectatorsNotAllowed = () =>
  new Refusal("UNAUTHENTICATED_USER", notLoggedIn().message, {}, 401, notLoggedIn().headers);

// gates
export const botsNotAllowed = () => badRequest("This endpoint does not accept bot requests.");
export const guestsNotAllowed = () => badRequest("Not allowed for guest users");
export const mustBeAdministrator = () =>
  new Refusal("UNAUTHORIZED_PRINCIPAL", "Must be an organization administrator");
export const mustBeOwner = () =>
  new Refusal("UNAUTHORIZED_PRINCIPAL", "Must be an organization owner");
export const mustBeBot = () => new Refusal("PERMISSION_DENIED", "Must be a bot user");

// fetching and flags
export const badNarrow = (desc: string) =>
  new Refusal("BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });
export const badNarrowCombination = (desc: string) =>
  new Refusal("BAD_NARROW", `Invalid narrow operator combination: ${desc}`, { desc });
export const narrowTermInvalid = (index: number, reason: string) =>
  badRequest(`Invalid narrow[${index}]: ${reason}`);
export const operandTypeInvalid = (kinds: string) => badRequest(`operand is not ${kinds}`);
export const searchBlank = () => badRequest("operand cannot be blank");
export const anchorMissing = () => badRequest("Missing 'anchor' argument.");
export const anchorDateInvalid = () => badRequest("anchor_date is not a date");
export const anchorNotAtEnd = () =>
  badRequest("The anchor can only be excluded at an end of the range");
export const messagesTooMany = (limit: number) =>
  badRequest(`Too many messages requested (maximum ${limit}).`);
export const parametersNotTogether = (parameters: string) =>
  badRequest(`Unsupported parameter combination: ${parameters}`, { parameters });
export const flagUnknown = (flag: string) => badRequest(`Invalid flag: '${flag}'`);
export const flagNotEditable = (flag: string) => badRequest(`Flag not editable: '${flag}'`);
export const flagOperationUnknown = (op: string) =>
  badRequest(`Invalid message flag operation: '${op}'`);
export const topicNotFound = (name: string) => badRequest(`No such topic '${name}'`);
export const emojiNotFound = (name: string) => badRequest(`Emoji '${name}' does not exist`);
export const emojiCodeInvalid = () => badRequest("Invalid emoji code.");
export const emojiNameInvalid = () => badRequest("Invalid emoji name.");
export const emojiTypeInvalid = () => badRequest("Invalid emoji type.");

// deleting messages, drafts, saved snippets
export const deletingNotAllowed = () =>
  badRequest("You don't have permission to delete this message");
export const deletingTooLate = () =>
  badRequest("The time limit for deleting this message has passed");
export const draftsNotSynchronized = () => badRequest("User has disabled synchronizing drafts.");
export const draftNotFound = () => new Refusal("BAD_REQUEST", "Draft does not exist", {}, 404);
export const draftTimeNegative = () => badRequest("Timestamp must not be negative.");
export const draftChannelNotSingle = () =>
  badRequest("Must specify exactly 1 channel ID for channel messages");
export const topicWithNull = () => badRequest("Topic must not contain null bytes");
export const snippetNotFound = () =>
  new Refusal("BAD_REQUEST", "Saved snippet does not exist.", {}, 404);
export const tooShort = (name: string) => badRequest(`${name} is too short.`);

// reactions, submessages, read receipts, alert words
export const customEmojiInvalid = () => badRequest("Invalid custom emoji.");
export const reactionExists = () =>
  new Refusal("REACTION_ALREADY_EXISTS", "Reaction already exists.");
export const reactionNotFound = () =>
  new Refusal("REACTION_DOES_NOT_EXIST", "Reaction doesn't exist.");
export const reactionUnnamed = () =>
  badRequest("At least one of the following arguments must be present: emoji_name, emoji_code");
export const reactionsTooMany = (limit: number) =>
  badRequest(`A message cannot have more than ${limit} reactions.`);
export const submessageNotAllowed = () =>
  badRequest("You cannot attach a submessage to this message.");
export const submessageInvalid = (reason: string) => badRequest(reason);
export const submessagesTooMany = (limit: number) =>
  badRequest(`A message cannot have more than ${limit} submessages.`);
export const readReceiptsDisabled = () =>
  badRequest("Read receipts are disabled in this organization.");
export const alertWordsTooMany = (limit: number) =>
  badRequest(`Nobody can have more than ${limit} alert words.`);

// editing and moving
export const editingDisabled = () => badRequest("Your organization has turned off message editing");
export const editNotAllowed = () => badRequest("You don't have permission to edit this message");
export const editTooLate = () => badRequest("The time limit for editing this message has passed");
export const nothingToChange = () => badRequest("Nothing to change");
export const directsNotMovable = () => badRequest("Direct messages cannot be moved to channels.");
export const directsWithoutTopics = () => badRequest("Direct messages cannot have topics.");
export const propagationWithoutMove = () => badRequest("Invalid propagate_mode without topic edit");
export const emptyTopicNotResolvable = () =>
  badRequest("General chat cannot be marked as resolved");
export const contentWithChannel = () =>
  badRequest("Cannot change message content while changing channel");
export const widgetsNotEditable = () => badRequest("Widgets cannot be edited.");
export const resolvingNotAllowed = () =>
  badRequest("You don't have permission to resolve topics in this channel.");
export const topicEditTooLate = () =>
  badRequest("The time limit for editing this message's topic has passed.");
export const moveNotAllowed = () => badRequest("You don't have permission to move this message");
export const channelEditTooLate = () =>
  badRequest("The time limit for editing this message's channel has passed");
export const moveLimitExceeded = (
  first_message_id_allowed_to_move: number | null,
  total_messages_allowed_to_move: number,
  total_messages_in_topic: number,
) =>
  new Refusal(
    "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED",
    `You only have permission to move the ${total_messages_allowed_to_move}/` +
      `${total_messages_in_topic} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move,
      total_messages_allowed_to_move,
      total_messages_in_topic,
    },
  );
export const editHistoryDisabled = () =>
  badRequest("Message edit history is disabled in this organization");

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

// channel folders, default channel groups
export const channelFolderNameEmpty = () => badRequest("Channel folder name can't be empty.");
export const channelFolderNameUnprintable = (position: number) =>
  badRequest(`Invalid character in channel folder name, at position ${position}.`);
export const channelFolderNameTaken = (name: string) =>
  badRequest(`Channel folder '${name}' already exists`);
export const channelFolderInUse = () =>
  badRequest("You need to remove all the channels from this folder to archive it.");
export const orderInvalid = () => badRequest("Invalid order mapping.");
/** Of what an organization or a person has only so many. */
export const tooMany = (things: string, limit: number) =>
  badRequest(`There cannot be more than ${limit} ${things}.`);
export const channelGroupNotFound = (id: number) =>
  badRequest(`Default channel group with id '${id}' does not exist.`);
export const channelGroupNameInvalid = (name: string) =>
  badRequest(`Invalid default channel group name '${name}'`);
export const channelGroupNameTooLong = (limit: number) =>
  badRequest(`Default channel group name too long (limit: ${limit} characters)`);
export const channelGroupNameTaken = (name: string) =>
  badRequest(`Default channel group '${name}' already exists`);
export const channelGroupNameUnchanged = (name: string) =>
  badRequest(`This default channel group is already named '${name}'`);
export const channelGroupUnchanged = () =>
  badRequest('You must pass "new_description" or "new_group_name".');
export const channelGroupOfDefault = (channel: string, group: string) =>
  badRequest(`'${channel}' is a default channel and cannot be added to '${group}'`);
export const channelAlreadyInGroup = (channel: string, group: string) =>
  badRequest(`Channel '${channel}' is already present in default channel group '${group}'`);
export const channelNotInGroup = (channel: string, group: string) =>
  badRequest(`Channel '${channel}' is not present in default channel group '${group}'`);
export const channelGroupOperationInvalid = () =>
  badRequest('Invalid value for "op". Specify one of "add" or "remove".');
export const botNotFound = () => badRequest("No such bot");

// linkifiers, playgrounds
/** Says the first of them; a form shows each with its field. */
export const fieldsInvalid = (errors: Readonly<Record<string, readonly string[]>>) =>
  badRequest(Object.values(errors)[0]![0]!, { errors });
export const linkifierNotFound = () => badRequest("Linkifier not found.");
export const linkifiersDoubled = () =>
  badRequest("The ordered list must not contain duplicated linkifiers");
export const linkifiersIncomplete = () =>
  badRequest("The ordered list must enumerate all existing linkifiers exactly once");
export const playgroundNotFound = () => badRequest("Invalid playground");

// profile fields
export const profileFieldNotFound = (id: number) => badRequest(`Field id ${id} not found.`);
export const profileFieldFixed = () => badRequest("Default custom field cannot be updated.");
export const profileFieldInvalid = (reason: string) => badRequest(reason);
export const profileFieldNotEditable = () =>
  badRequest("You are not allowed to change this field. Contact an administrator to update it.");

// navigation views, onboarding
export const viewNotFound = () =>
  new Refusal("BAD_REQUEST", "Navigation view does not exist.", {}, 404);
export const viewExists = () => badRequest("Navigation view already exists.");
export const builtInViewNamed = () => badRequest("Built-in views cannot have a custom name.");
export const viewNameInvalid = () => badRequest("Custom views must have a valid name.");
export const onboardingStepUnknown = (step: string) =>
  badRequest(`Unknown onboarding_step: ${step}`);

// bots
export const botNameTaken = () => badRequest("Name is already in use.");
export const botNamesakeActive = (full_name: string) =>
  badRequest(
    `There is already an active bot named "${full_name}" in this organization. To reactivate ` +
      "this bot, you must rename or deactivate the other one first.",
  );
export const botTypeInvalid = () => badRequest("Invalid bot type");
export const interfaceInvalid = () => badRequest("Invalid interface type");
export const embeddedBotsDisabled = () => badRequest("Embedded bots are not enabled.");
export const integrationNotFound = (name: string) => badRequest(`Invalid integration '${name}'.`);
export const payloadUrlInvalid = (name: string) => badRequest(`${name} is not a URL`);
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

// scheduled messages, reminders, reports
export const deliveryTimePast = () => badRequest("Scheduled delivery time must be in the future.");
export const deliveryTooLate = () => badRequest("Message could not be sent at the scheduled time.");
export const channelIdTypeInvalid = () => badRequest("Invalid data type for channel ID");
export const scheduledNotFound = () =>
  new Refusal("BAD_REQUEST", "Scheduled message does not exist", {}, 404);
export const scheduledAlreadySent = () => badRequest("Scheduled message was already sent");
export const recipientRequired = () =>
  badRequest("Recipient required when updating type of scheduled message.");
export const topicRequired = () =>
  badRequest("Topic required when updating scheduled message type to channel.");
export const reminderNotFound = () =>
  new Refusal("BAD_REQUEST", "Reminder does not exist", {}, 404);
export const reminderNoteTooLong = (limit: number) =>
  badRequest(`Maximum reminder note length: ${limit} characters`);
export const reportsDisabled = () =>
  badRequest("Message reporting is not enabled in this organization.");
export const explanationRequired = () => badRequest("An explanation is required.");

// user groups
export const groupNameTaken = (name: string) => badRequest(`User group '${name}' already exists.`);
export const groupNameEmpty = () => badRequest("User group name can't be empty!");
export const groupNameTooLong = (limit: number) =>
  badRequest(`User group name cannot exceed ${limit} characters.`);
export const groupNameBegins = (beginning: string) =>
  badRequest(`User group name cannot start with '${beginning}'.`);
export const noNewGroupData = () => badRequest("No new data supplied");
export const groupInUse = (objections: readonly object[]) =>
  new Refusal("CANNOT_DEACTIVATE_GROUP_IN_USE", "Cannot deactivate user group in use.", {
    objections,
  });
export const noMembershipChange = () =>
  badRequest(
    "Nothing to do. Specify at least one of " +
      '"add", "delete", "add_subgroups" or "delete_subgroups".',
  );
export const noSubgroupChange = () =>
  badRequest('Nothing to do. Specify at least one of "add" or "delete".');
export const alreadyMember = (user_id: number) =>
  badRequest(`User ${user_id} is already a member of this group`);
export const notMember = (user_id: number) =>
  badRequest(`There is no member '${user_id}' in this user group`);
export const alreadySubgroup = (group_id: number) =>
  badRequest(`User group ${group_id} is already a subgroup of this group.`);
export const subgroupsInCircle = (group_id: number) =>
  badRequest(`User group ${group_id} is already a subgroup of one of the passed subgroups.`);
export const notSubgroup = (group_id: number) =>
  badRequest(`User group ${group_id} is not a subgroup of this group.`);

// the organization's settings, its domains, its end
export const demoOrganizationRequired = () => badRequest("Must be a demo organization.");
export const noAuthenticationLeft = () =>
  badRequest("At least one authentication method must be enabled.");
export const authenticationMethodInvalid = (name: string, valid: readonly string[]) =>
  badRequest(
    `Invalid authentication method: ${name}. ` +
      `Valid methods are: [${valid.map((method) => `'${method}'`).join(", ")}]`,
  );
export const languageInvalid = (language: string) => badRequest(`Invalid language '${language}'`);
export const choiceInvalid = (name: string, value: number) =>
  badRequest(`Invalid ${name} ${value}`);
export const notAllowedType = (name: string) => badRequest(`${name} is not an allowed_type`);
export const domainInvalid = (why: string) => badRequest(`Invalid domain: ${why}`);
export const domainTaken = (domain: string) =>
  badRequest(`The domain ${domain} is already a part of your organization.`);
export const domainNotFound = (domain: string) =>
  badRequest(`No entry found for domain ${domain}.`);
export const emailNotAllowed = (email: string) =>
  badRequest(`Email '${email}' not allowed in this organization`);
export const emailDisposable = () =>
  badRequest("Disposable email addresses are not allowed in this organization");
export const emailWithPlus = () => badRequest("Email addresses containing + are not allowed.");
export const deletionTooSoon = (days: number) =>
  badRequest(`Data deletion time must be at least ${days} days in the future.`);
export const deletionNotOffered = () =>
  badRequest("The data of a deactivated organization is for the server's operator to delete.");
export const realmNotDeactivated = () => badRequest("This organization is not deactivated.");
const REALM_CLOSED = "This organization has been deactivated";
export const realmDeactivated = () => unauthorized(REALM_CLOSED);
export const signInRealmDeactivated = () => new Refusal("REALM_DEACTIVATED", REALM_CLOSED, {}, 401);

// files, pictures, custom emoji
export const fileMissing = () => badRequest("You must specify a file to upload");
export const filesTooMany = () => badRequest("You may only upload one file at a time");
export const fileTooLarge = (mib: number) =>
  badRequest(`File is larger than this server's configured maximum upload size (${mib} MiB).`);
export const uploadQuotaReached = () =>
  new Refusal(
    "REALM_UPLOAD_QUOTA",
    "Upload would exceed your organization's upload quota.",
    {},
    413,
  );
export const attachmentNotFound = () => badRequest("Invalid attachment");
export const fileNotFound = () => new Refusal("BAD_REQUEST", "File not found", {}, 404);
export const temporaryLinkInvalid = () => badRequest("Invalid token");
export const temporaryNameInvalid = () => badRequest("Invalid filename");
export const pictureNotSingle = (what: string) =>
  badRequest(`You must upload exactly one ${what}.`);
export const pictureTooLarge = (mib: number) =>
  badRequest(`Uploaded file is larger than the allowed limit of ${mib} MiB`);
export const badImage = () =>
  new Refusal("BAD_IMAGE", "The file is not an image, or not of a kind that is known here.");
export const imageTooLarge = () =>
  new Refusal("BAD_IMAGE", "The image has more pixels than are allowed.");
export const avatarChangesDisabled = () =>
  badRequest("Avatar changes are disabled in this organization.");
export const customEmojiNameInvalid = () => badRequest("Invalid custom emoji name.");
export const customEmojiDeactivated = () => badRequest("This custom emoji has been deactivated.");
export const customEmojiNameTaken = () =>
  badRequest("A custom emoji with this name already exists.");
export const customEmojiOverrides = () =>
  badRequest("Only administrators can override default emoji.");
export const customEmojiNameMalformed = () =>
  badRequest(
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, " +
      "and underscores.",
  );
export const customEmojiNameEnds = () =>
  badRequest("Emoji names must end with either a letter or digit.");
export const customEmojiNotFound = (name: string) =>
  new Refusal("BAD_REQUEST", `Emoji '${name}' does not exist`, {}, 404);
export const customEmojiNotOwn = () =>
  badRequest("Must be an organization administrator or emoji author");

// resumable uploads, which have their own form of refusals
export const tusRefused = (status: number, message: string, headers: Record<string, string> = {}) =>
  new Refusal("BAD_REQUEST", message, { message }, status, {
    "Tus-Resumable": "1.0.0",
    ...headers,
  });

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
export const tooManySignUps = () =>
  badRequest("Too many people try to join from your network. Try again in an hour.");
