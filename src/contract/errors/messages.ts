// Errors about messages and actions on them.
import { Refusal, badRequest } from "./general.ts";

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
export const newMemberMessages = (count: number) =>
  badRequest(`New members can send ${count} messages per hour. Try again later.`);
export const newMemberLinks = (count: number) =>
  badRequest(`Messages of new members can contain at most ${count} links to other sites.`);
export const newMemberConversations = (count: number) =>
  badRequest(
    `New members can send direct messages to ${count} users or groups. Try again tomorrow.`,
  );
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
export const mirroredMessageInvalid = () => badRequest("Invalid mirrored message");
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

// fetching and flags
export const badNarrow = (desc: string) =>
  new Refusal("BAD_NARROW", `Invalid narrow operator: ${desc}`, { desc });
export const badNarrowCombination = (desc: string) =>
  new Refusal("BAD_NARROW", `Invalid narrow operator combination: ${desc}`, { desc });
export const narrowTermInvalid = (index: number, reason: string) =>
  badRequest(`Invalid narrow[${index}]: ${reason}`);
export const operandTypeInvalid = (kinds: string) => badRequest(`operand is not ${kinds}`);
export const searchBlank = () => badRequest("operand cannot be blank");
export const searchTooManyWords = (limit: number) =>
  badRequest(`operand is too long (limit: ${limit} words)`);
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
  badRequest(`A user can have at most ${limit} alert words.`);

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
export const noteChanged = () =>
  badRequest("Someone else changed the note. Reload it before you save.");
export const pinningNotAllowed = () =>
  badRequest("You don't have permission to pin messages in this channel.");
export const directNotPinnable = () => badRequest("Only messages of channels can be pinned.");
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
export const explanationRequired = () =>
  badRequest("An explanation is required.").withField("description");
