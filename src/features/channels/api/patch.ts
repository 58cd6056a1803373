// The request that changes a channel: the action for each parameter, and their order.
import Type from "typebox";
import { nothing } from "../../../contract/shapes/value-types.ts";
import {
  bool,
  endpoint,
  int,
  json,
  optional,
  type OptionalParameter,
  text,
} from "../../../endpoint.ts";
import { CHANNEL_PERMISSIONS, type ChannelPermission } from "../../rights/permission-rules.ts";
import type { RequestedSetting } from "../../rights/setting.ts";
import { accessToAdminister } from "../access.ts";
import { restoreChannel } from "../manage/archive.ts";
import { retentionOf, topicsPolicyOf } from "../manage/new-channel.ts";
import { setChannelPermission } from "../manage/permissions.ts";
import { setPrivacy } from "../manage/privacy.ts";
import {
  describeChannel,
  setMessageRetention,
  putInFolder,
  renameChannel,
  setDefault,
  setTopicsPolicy,
} from "../manage/update.ts";
import { groupSetting } from "../../rights/setting.ts";

const PERMISSIONS = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
const settingChange = Type.Object({ new: groupSetting, old: Type.Optional(groupSetting) });

const settings = Object.fromEntries(
  PERMISSIONS.map((name) => [name, optional(json(settingChange))]),
) as unknown as Record<ChannelPermission, OptionalParameter<RequestedSetting | undefined>>;

export const patchChannel = endpoint({
  summary: "Change a channel",
  tag: "Channels",
  params: {
    stream_id: int,
    new_name: optional(text),
    description: optional(text),
    is_private: optional(bool),
    is_web_public: optional(bool),
    history_public_to_subscribers: optional(bool),
    is_default_stream: optional(bool),
    is_archived: optional(bool),
    message_retention_days: optional(text),
    topics_policy: optional(text),
    folder_id: optional(json(Type.Union([Type.Integer(), Type.Null()]))),
    ...settings,
  },
  answer: nothing,
  refuses: ["CHANNEL_ALREADY_EXISTS", "EXPECTATION_MISMATCH", "SYSTEM_GROUP_REQUIRED"],
  run: async ({ realm, user }, { stream_id, new_name, description, ...input }) => {
    const retention = retentionOf(input.message_retention_days);
    const topics_policy = topicsPolicyOf(input.topics_policy);
    await realm.write((tx) => {
      accessToAdminister(tx, user, stream_id);
      const { is_private, is_web_public, history_public_to_subscribers } = input;
      // A channel that becomes private must leave the default channels first; it can be added only
      // after it is public and unarchived.
      if (input.is_default_stream === false) setDefault(tx, user, stream_id, false);
      if ((is_private ?? is_web_public ?? history_public_to_subscribers) !== undefined) {
        setPrivacy(tx, user, stream_id, input);
      }
      if (input.is_archived === false) restoreChannel(tx, user, stream_id);
      if (input.is_default_stream === true) setDefault(tx, user, stream_id, true);
      if (retention !== undefined) setMessageRetention(tx, user, stream_id, retention);
      if (topics_policy !== undefined) setTopicsPolicy(tx, user, stream_id, topics_policy);
      if (input.folder_id !== undefined) putInFolder(tx, user, stream_id, input.folder_id);
      if (description !== undefined) describeChannel(tx, user, stream_id, description);
      if (new_name !== undefined) renameChannel(tx, user, stream_id, new_name);
      for (const name of PERMISSIONS) {
        const setting = input[name];
        if (setting !== undefined) setChannelPermission(tx, user, stream_id, name, setting);
      }
    });
    return {};
  },
});
