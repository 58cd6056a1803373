// Settings whose default the organization can change, and the parameters of requests for them.
import Type from "typebox";
import { bool, int, text } from "../../endpoint.ts";
import { PERSONAL_NAMES, SETTING_NAMES, type SettingName } from "./rules.ts";

type Personal = (typeof PERSONAL_NAMES)[number];
export type DefaultName = Exclude<SettingName, Personal>;

export const DEFAULT_NAMES = SETTING_NAMES.filter(
  (name): name is DefaultName => !PERSONAL_NAMES.includes(name as Personal),
);

export const KINDS = { text, int, bool } as const;

/** The users whose settings an administrator changes. */
export const TARGETS = Type.Object({
  user_ids: Type.Optional(Type.Array(Type.Integer())),
  group_ids: Type.Optional(Type.Array(Type.Integer())),
  skip_if_already_edited: Type.Optional(Type.Boolean()),
});
