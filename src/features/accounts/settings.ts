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
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { preparePasswordChange, storePasswordChange } from "../passwords/actions.ts";
import { checkRecentSignIn } from "../passwords/confirm.ts";
import { checkedName } from "../people/names.ts";
import { showPresence } from "../presence/actions.ts";
import { isAdministrator } from "../rights/rules.ts";
import { changeSetting, settingInvalid } from "../settings/change/actions.ts";
import { KINDS, TARGETS } from "../settings/defaults.ts";
import { SETTING_NAMES, type SettingName, USER_SETTINGS, type Value } from "../settings/rules.ts";
import {
  checkedNewAddress,
  confirmUrl,
  prepareAddressChange,
  requestAddressChange,
} from "./address.ts";
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
    const { user_id } = user;
    const newName = canRename(realm.read, user) ? full_name : undefined;
    checkInput(realm.read, user_id, newName, input);
    // Control of an account's email address allows taking it over, so the password is required.
    const confirmed =
      address === undefined ? undefined : await checkRecentSignIn(context, old_password);
    const password =
      new_password === ""
        ? undefined
        : await preparePasswordChange(realm, user, old_password, new_password);
    const addressChange =
      address === undefined ? undefined : prepareAddressChange(realm, user, address);
    const retained = { session_id: session?.session_id, key_id: key?.key_id, end_api_keys };
    const changedNames = await realm.write((tx) => {
      confirmed?.(tx);
      // A new password withdraws earlier changes of the address, so it comes first.
      if (password) storePasswordChange(tx, password, retained);
      if (newName !== undefined) renameUser(tx, user_id, newName);
      if (addressChange) requestAddressChange(tx, user_id, addressChange);
      return changeSettings(tx, user_id, input);
    });
    if (changedNames.includes("presence_enabled")) {
      await showPresence(realm, realm.read.users.get(user_id)!);
    }
    // The caller receives the link if the server cannot send it by email.
    const showsLink = addressChange && !realm.config.mail;
    return showsLink ? { confirm_link: confirmUrl(realm, addressChange.key.key) } : {};
  },
});

type SettingValues = Partial<Record<SettingName, Value | undefined>>;

/** Rejects invalid values before a password attempt or a change of the address is counted. */
function checkInput(
  reader: Reader,
  user_id: number,
  full_name: string | undefined,
  input: SettingValues,
): void {
  if (full_name !== undefined) checkedName(reader, full_name, user_id);
  for (const name of SETTING_NAMES) {
    const value = input[name];
    if (value !== undefined && !USER_SETTINGS[name].isValid(value)) {
      throw settingInvalid(name, value);
    }
  }
}

/** Returns the names of the settings whose value was new. */
const changeSettings = (tx: Writer, user_id: number, input: SettingValues): SettingName[] =>
  SETTING_NAMES.filter((name) => {
    const value = input[name];
    return value !== undefined && changeSetting(tx, user_id, name, value);
  });

function canRename(reader: Reader, user: User): boolean {
  return isAdministrator(user) || !reader.settings.name_changes_disabled;
}
