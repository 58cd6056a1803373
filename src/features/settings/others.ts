// Settings of other people, changed by an administrator for many at once.
import { userIdInvalid } from "../../errors-channels.ts";
import { settingOwnerOnly } from "../../errors-people.ts";
import { mustBeAdministrator } from "../../errors.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { accessGroup, isInGroup } from "../groups/access.ts";
import { showPresence } from "../presence/actions.ts";
import { isAdministrator, isBot } from "../users/rules.ts";
import { changeSetting, settingInvalid } from "./actions.ts";
import {
  SETTING_NAMES,
  type SettingName,
  USER_SETTINGS,
  userSetting,
  type Value,
} from "./rules.ts";
import { defaultOf } from "./wire.ts";

export interface Targets {
  user_ids?: number[];
  group_ids?: number[];
  /** Whoever has another value than newcomers get keeps it. */
  skip_if_already_edited?: boolean;
}

/** What a person gives in person: the name, the address, the password, and consent. */
const OWN = ["full_name", "email", "old_password", "new_password", "allow_private_data_export"];
const PEOPLE_AT_ONCE_MAX = 500;

type Asked = Partial<Record<string, Value | undefined>>;

export async function changeForOthers(
  realm: Realm,
  by: User,
  targets: Targets,
  asked: Asked,
): Promise<object> {
  const { read } = realm;
  if (!isAdministrator(by)) throw mustBeAdministrator();
  const own = OWN.find((name) => asked[name] !== undefined && asked[name] !== "");
  if (own !== undefined) throw settingOwnerOnly(own);
  const given = SETTING_NAMES.flatMap((name): [SettingName, Value][] =>
    asked[name] === undefined ? [] : [[name, asked[name]]],
  );
  const wrong = given.find(([name, value]) => !USER_SETTINGS[name].isValid(value));
  if (wrong) throw settingInvalid(...wrong);
  const people = peopleOf(read, targets);

  for (let at = 0; at < people.length; at += PEOPLE_AT_ONCE_MAX) {
    const some = people.slice(at, at + PEOPLE_AT_ONCE_MAX);
    const shown = await realm.write((tx) =>
      some.filter((user_id) => {
        const isEdited = (name: SettingName) =>
          userSetting(tx.users.get(user_id)!, name) !== defaultOf(tx, name);
        const due = given.filter(([name]) => !targets.skip_if_already_edited || !isEdited(name));
        const changed = due.filter(([name, value]) => changeSetting(tx, user_id, name, value));
        return changed.some(([name]) => name === "presence_enabled");
      }),
    );
    for (const user_id of shown) await showPresence(realm, read.users.get(user_id)!);
  }
  return {};
}

/** People who are there, once each. */
function peopleOf(reader: Reader, { user_ids = [], group_ids = [] }: Targets): number[] {
  for (const user_id of user_ids) {
    const user = reader.users.get(user_id);
    if (!user?.is_active || isBot(user)) throw userIdInvalid(user_id);
  }
  const groups = group_ids.map((id) => accessGroup(reader, id));
  const inGroups = [...reader.users.range()].filter(
    (user) =>
      user.is_active && !isBot(user) && groups.some(({ id }) => isInGroup(reader, user, id)),
  );
  return [...new Set([...user_ids, ...inGroups.map((user) => user.user_id)])];
}
