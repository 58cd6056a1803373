// Lets administrators change settings of many users at once.
import { userIdInvalid } from "../../contract/errors/channels.ts";
import { mustBeAdministrator } from "../../contract/errors/general.ts";
import { settingOwnerOnly, targetsMissing } from "../../contract/errors/people.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { accessGroup, isInGroup } from "../rights/access.ts";
import { isAdministrator, isBot } from "../rights/rules.ts";
import { changeSetting, settingInvalid } from "../settings/change/actions.ts";
import {
  SETTING_NAMES,
  type SettingName,
  USER_SETTINGS,
  userSetting,
  type Value,
} from "../settings/rules.ts";
import { defaultOf } from "../settings/wire.ts";

interface Targets {
  user_ids?: number[];
  group_ids?: number[];
  /** Skips users whose value differs from the default. */
  skip_if_already_edited?: boolean;
}

/** Settings that only the user can change: identity, privacy and emails. */
const OWN = [
  "full_name",
  "email",
  "old_password",
  "new_password",
  "timezone",
  "do_not_disturb_until",
  "do_not_disturb_hours",
  "allow_private_data_export",
  "email_address_visibility",
  "enable_digest_emails",
  "enable_login_emails",
  "enable_marketing_emails",
  "presence_enabled",
  "send_private_typing_notifications",
  "send_read_receipts",
  "send_stream_typing_notifications",
];
const PEOPLE_AT_ONCE_MAX = 500;

type SettingValues = Partial<Record<string, Value | undefined>>;

export async function changeForOthers(
  realm: Realm,
  actingUser: User,
  targets: Targets,
  requested: SettingValues,
): Promise<object> {
  const { user_ids = [], group_ids = [] } = targets;
  if (user_ids.length === 0 && group_ids.length === 0) throw targetsMissing();
  if (!isAdministrator(actingUser)) throw mustBeAdministrator();
  const own = OWN.find((name) => requested[name] !== undefined && requested[name] !== "");
  if (own !== undefined) throw settingOwnerOnly();
  const input = SETTING_NAMES.flatMap((name): [SettingName, Value][] =>
    requested[name] === undefined ? [] : [[name, requested[name]]],
  );
  const invalid = input.find(([name, value]) => !USER_SETTINGS[name].isValid(value));
  if (invalid) throw settingInvalid(...invalid);
  const people = peopleOf(realm.read, user_ids, group_ids);

  for (let index = 0; index < people.length; index += PEOPLE_AT_ONCE_MAX) {
    const batch = people.slice(index, index + PEOPLE_AT_ONCE_MAX);
    await realm.write((tx) => {
      for (const user_id of batch) {
        const isEdited = (name: SettingName) =>
          userSetting(tx.users.get(user_id)!, name) !== defaultOf(tx, name);
        const due = input.filter(([name]) => !targets.skip_if_already_edited || !isEdited(name));
        for (const [name, value] of due) changeSetting(tx, user_id, name, value);
      }
    });
  }
  return {};
}

/** Each user once. Deactivated users get the setting too. */
function peopleOf(
  reader: Reader,
  user_ids: readonly number[],
  group_ids: readonly number[],
): number[] {
  for (const user_id of user_ids) {
    const user = reader.users.get(user_id);
    if (!user || isBot(user)) throw userIdInvalid(user_id);
  }
  const groups = group_ids.map((id) => accessGroup(reader, id));
  const inGroups = [...reader.users.range()].filter(
    (user) =>
      user.is_active && !isBot(user) && groups.some(({ id }) => isInGroup(reader, user, id)),
  );
  return [...new Set([...user_ids, ...inGroups.map((user) => user.user_id)])];
}
