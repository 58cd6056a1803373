// Changes a user's own settings.
import Type from "typebox";
import {
  bool,
  defaulted,
  endpoint,
  json,
  optional,
  type OptionalParameter,
  text,
} from "../../endpoint.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { changePassword } from "../passwords/actions.ts";
import { checkRecentSignIn } from "../passwords/confirm.ts";
import { showPresence } from "../presence/actions.ts";
import { isAdministrator } from "../rights/rules.ts";
import { changeSetting } from "../settings/change/actions.ts";
import { KINDS, TARGETS } from "../settings/defaults.ts";
import { SETTING_NAMES, type SettingName, USER_SETTINGS, type Value } from "../settings/rules.ts";
import { requestAddressChange, checkedNewAddress } from "./address.ts";
import { renameUser } from "./changes.ts";
import { changeForOthers } from "./settings-of-others.ts";

type Params = Record<SettingName, OptionalParameter<Value | undefined>>;

const params = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, optional<Value>(KINDS[USER_SETTINGS[name].kind])]),
) as Params;

export const updateSettings = endpoint({
  summary: "Change your settings",
  tag: "People",
  params: {
    ...params,
    full_name: optional(text),
    email: optional(text),
    old_password: defaulted(text, ""),
    new_password: defaulted(text, ""),
    end_api_keys: defaulted(bool, false),
    target_users: optional(json(TARGETS)),
  },
  answer: Type.Object({ confirm_link: Type.Optional(Type.String()) }),
  run: async (context, { target_users, end_api_keys, ...params }) => {
    const { realm, user, session, key } = context;
    if (target_users !== undefined) {
      return changeForOthers(realm, user, target_users, params);
    }
    const { full_name, email, old_password, new_password, ...input } = params;
    const address = email === undefined ? undefined : checkedNewAddress(realm.read, user, email);
    // Control of an account's email address allows taking it over, so the password is required.
    if (address !== undefined) await checkRecentSignIn(context, old_password);
    const isRenamed = full_name !== undefined && canRename(realm.read, user);
    const { user_id } = user;
    if (new_password !== "") {
      const options = { session_id: session?.session_id, key_id: key?.key_id, end_api_keys };
      await changePassword(realm, user, old_password, new_password, options);
    }
    const result = await realm.write((tx) => {
      if (isRenamed) renameUser(tx, user_id, full_name);
      return SETTING_NAMES.filter((name) => {
        const value = input[name];
        return value !== undefined && changeSetting(tx, user_id, name, value);
      });
    });
    if (result.includes("presence_enabled")) {
      await showPresence(realm, realm.read.users.get(user_id)!);
    }
    return address === undefined ? {} : requestAddressChange(realm, user, address);
  },
});

function canRename(reader: Reader, user: User): boolean {
  return isAdministrator(user) || !reader.settings.name_changes_disabled;
}
