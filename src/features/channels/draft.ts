// A channel about to be made: every field checked and filled in, or refused.
import {
  channelKindInvalid,
  channelTopicsMustBeOpen,
  defaultChannelPrivate,
  insufficientPermission,
  webPublicChannelsOff,
} from "../../errors-channels.ts";
import { ownerRequired } from "../../errors-people.ts";
import type { Reader } from "../../realm.ts";
import type { Channel, GroupSetting, User } from "../../records.ts";
import { accessOpenFolder } from "../folders/access.ts";
import { systemGroupId } from "../groups/access.ts";
import {
  ABOUT_DELETING,
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
} from "../groups/permissions.ts";
import { decodeGroupSetting, defaultSetting } from "../groups/setting.ts";
import { isAdministrator, isOwner } from "../users/rules.ts";
import { mayMakeChannel, maySetDeletePolicy, maySetTopicsPolicy } from "./access.ts";
import { renderedDescription } from "./description.ts";
import { checkedName } from "./names.ts";
import { inOneLine, isProtected, type Privacy, privacyOf } from "./rules.ts";
import { hasWebChannels } from "./spectators.ts";

type Chosen = Pick<
  Channel,
  | "description"
  | "invite_only"
  | "is_web_public"
  | "history_public_to_subscribers"
  | "is_default"
  | "folder_id"
  | "topics_policy"
  | "message_retention_days"
  | ChannelPermission
>;

/** What may be said of a channel when it is made. */
export type ChannelFields = { name: string } & { [F in keyof Chosen]?: Chosen[F] | undefined };

type Settings = Record<ChannelPermission, GroupSetting>;

/** The channel without its ids; `by` null: the operator, who may make any. */
export function draftChannel(reader: Reader, by: User | null, fields: ChannelFields): Channel {
  const name = checkedName(fields.name);
  const { invite_only = false, is_web_public = false } = fields;
  const kind = privacyOf(invite_only, is_web_public, fields.history_public_to_subscribers);
  if (!kind) throw channelKindInvalid();
  if (kind.invite_only && fields.is_default) throw defaultChannelPrivate();
  if (kind.is_web_public && !hasWebChannels(reader)) throw webPublicChannelsOff();
  const folder_id = fields.folder_id ?? null;
  if (folder_id !== null) accessOpenFolder(reader, folder_id);
  const settings = settingsOf(reader, by, fields, kind);
  if (by) checkMayMake(reader, by, fields, kind, settings);

  const description = inOneLine(fields.description ?? "");
  return {
    stream_id: 0,
    recipient_id: 0,
    name,
    description,
    rendered_description: renderedDescription(reader, by, description),
    date_created: reader.now,
    creator_id: by?.user_id ?? null,
    ...kind,
    is_archived: false,
    is_default: fields.is_default ?? false,
    is_recently_active: true,
    folder_id,
    topics_policy: fields.topics_policy ?? "inherit",
    message_retention_days: fields.message_retention_days ?? null,
    first_message_id: null,
    ...settings,
  };
}

/** Clients say every setting, most of them as they would be anyway. */
function checkMayMake(
  reader: Reader,
  by: User,
  fields: ChannelFields,
  kind: Privacy,
  settings: Settings,
): void {
  if (!mayMakeChannel(reader, by, kind)) throw insufficientPermission();
  if (fields.is_default && !isAdministrator(by)) throw insufficientPermission();
  if ((fields.message_retention_days ?? null) !== null && !isOwner(by)) throw ownerRequired();
  if ((fields.topics_policy ?? "inherit") !== "inherit") {
    if (!maySetTopicsPolicy(reader, by)) throw insufficientPermission();
  }
  const asIs = systemGroupId(reader, "role:nobody");
  if (ABOUT_DELETING.some((name) => settings[name] !== asIs)) {
    if (!maySetDeletePolicy(reader, by)) throw insufficientPermission();
  }
}

function settingsOf(
  reader: Reader,
  by: User | null,
  fields: ChannelFields,
  kind: Privacy,
): Settings {
  const names = Object.keys(CHANNEL_PERMISSIONS) as ChannelPermission[];
  const entries = names.map((name) => {
    const permission = CHANNEL_PERMISSIONS[name];
    const given = fields[name];
    if (given === undefined) return [name, defaultSetting(reader, permission, by?.user_id ?? null)];
    return [name, decodeGroupSetting(reader, name, permission, given)];
  });
  const settings = Object.fromEntries(entries) as Settings;
  const everyone = systemGroupId(reader, "role:everyone");
  if (isProtected(kind) && settings.can_create_topic_group !== everyone) {
    throw channelTopicsMustBeOpen();
  }
  return settings;
}
