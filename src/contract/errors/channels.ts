// Errors about channels, subscriptions, groups and their settings.
import { Refusal, badRequest } from "./general.ts";
import { parametersNotTogether } from "./messages.ts";

// channels
export const channelNotFound = () => badRequest("Invalid channel ID");
export const channelNameNotFound = (name: string) => badRequest(`Invalid channel name '${name}'`);
export const channelNameTaken = (channel_name: string) =>
  new Refusal(
    "CHANNEL_ALREADY_EXISTS",
    `Channel '${channel_name}' already exists`,
    { channel_name },
    409,
  ).withField("name");
export const channelRenamedToTaken = () =>
  badRequest("Channel name is already in use.").withField("name");
export const channelNameUnchanged = () =>
  badRequest("Channel already has that name.").withField("name");
export const channelNameEmpty = () => badRequest("Channel name can't be empty.").withField("name");
export const channelNameTooLong = (limit: number) =>
  badRequest(`Channel name too long (limit: ${limit} characters).`).withField("name");
export const channelNameUnprintable = (position: number) =>
  badRequest(`Invalid character in channel name, at position ${position}.`).withField("name");
export const channelNotAccessible = (name: string) =>
  badRequest(`Unable to access channel (${name}).`);
export const channelsNotFound = (names: readonly string[]) =>
  badRequest(`Channel(s) (${names.join(", ")}) do not exist`);
export const channelNotAdministered = () =>
  badRequest("You do not have permission to administer this channel.");
export const channelAlreadyArchived = () => badRequest("Channel is already deactivated");
export const channelNotArchived = () => badRequest("Channel is not currently deactivated");
export const channelContentRequired = () => badRequest("Channel content access is required.");
export const channelFolderNotFound = () =>
  badRequest("Invalid channel folder ID").withField("folder_id");
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
  badRequest(`${name} is too long (limit: ${limit} characters)`).withField(name);
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

// topic preferences, muted users
export const topicNotMuted = () => badRequest("Topic is not muted");
export const channelGivenTwice = () => parametersNotTogether("stream_id, stream");
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

// channel folders, default channel groups
export const channelFolderNameEmpty = () => badRequest("Channel folder name can't be empty.");
export const channelFolderNameUnprintable = (position: number) =>
  badRequest(`Invalid character in channel folder name, at position ${position}.`);
export const channelFolderNameTaken = (name: string) =>
  badRequest(`Channel folder '${name}' already exists`);
export const channelFolderInUse = () =>
  badRequest("You need to remove all the channels from this folder to archive it.");
export const orderInvalid = () => badRequest("Invalid order mapping.");
/** The error for objects whose number per organization or user is limited. */
export const tooMany = (items: string, limit: number) =>
  badRequest(`There cannot be more than ${limit} ${items}.`);
export const tooMuch = (items: string, limit: number) =>
  badRequest(`The ${items} cannot have more than ${limit} characters together.`);
export const channelGroupNotFound = (id: number) =>
  badRequest(`Default channel group with id '${id}' does not exist.`);
export const channelGroupNameInvalid = (name: string) =>
  badRequest(`Invalid default channel group name '${name}'`).withField("name");
export const channelGroupNameTooLong = (limit: number) =>
  badRequest(`Default channel group name too long (limit: ${limit} characters)`).withField("name");
export const channelGroupNameTaken = (name: string) =>
  badRequest(`Default channel group '${name}' already exists`).withField("name");
export const channelGroupNameUnchanged = (name: string) =>
  badRequest(`This default channel group is already named '${name}'`).withField("name");
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

// user groups
export const groupNameTaken = (name: string) =>
  badRequest(`User group '${name}' already exists.`).withField("name");
export const groupNameEmpty = () => badRequest("User group name can't be empty!").withField("name");
export const groupNameTooLong = (limit: number) =>
  badRequest(`User group name cannot exceed ${limit} characters.`).withField("name");
export const groupNameBegins = (beginning: string) =>
  badRequest(`User group name cannot start with '${beginning}'.`).withField("name");
export const noNewGroupData = () => badRequest("No new data supplied");
export const groupInUse = (uses: readonly object[]) =>
  new Refusal("CANNOT_DEACTIVATE_GROUP_IN_USE", "Cannot deactivate user group in use.", {
    objections: uses,
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
