// Default settings for new users.
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, optional, type OptionalParameter } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import { settingInvalid } from "../settings/change/actions.ts";
import { DEFAULT_NAMES, type DefaultName, KINDS } from "../settings/defaults.ts";
import { USER_SETTINGS, type Value } from "../settings/rules.ts";
import { defaultChanged, defaultOf } from "../settings/wire.ts";

/** Applies to accounts created from now on. */
function changeDefault(tx: Writer, name: DefaultName, value: Value): void {
  if (!USER_SETTINGS[name].isValid(value)) throw settingInvalid(name, value);
  if (defaultOf(tx, name) === value) return;

  if (USER_SETTINGS[name].default === value) tx.setting_defaults.delete(name);
  else tx.setting_defaults.put({ name, value });
  tx.emit(defaultChanged(name, value), { to: "realm" });
}

const params = Object.fromEntries(
  DEFAULT_NAMES.map((name) => [name, optional<Value>(KINDS[USER_SETTINGS[name].kind])]),
) as Record<DefaultName, OptionalParameter<Value | undefined>>;

export const patchDefaults = endpoint({
  summary: "Change the default settings of new users",
  tag: "Organization",
  params,
  answer: nothing,
  run: async ({ realm }, input) => {
    await realm.write((tx) => {
      for (const name of DEFAULT_NAMES) {
        const value = input[name];
        if (value !== undefined) changeDefault(tx, name, value);
      }
    });
    return {};
  },
});
