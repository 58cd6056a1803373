// The displayed names of groups; role groups have translated names.
import { ownValue } from "../../../text/input/own-value.ts";
import type { IconName } from "../../content/icon-names.ts";
import { t, type TextKey } from "../../words/words.ts";
import type { Group } from "./state.ts";

const ROLES: Readonly<Record<string, TextKey>> = {
  "role:nobody": "nobody",
  "role:owners": "group-owners",
  "role:administrators": "group-administrators",
  "role:moderators": "group-moderators",
  "role:fullmembers": "group-fullmembers",
  "role:members": "group-members",
  "role:everyone": "group-everyone",
  "role:internet": "kind-web",
};

export function groupName({ name, is_system_group }: Group): string {
  const word = is_system_group ? ownValue(ROLES, name) : undefined;
  return word ? t(word) : name;
}

export const groupIcon = ({ is_system_group }: Group): IconName =>
  is_system_group ? "shield" : "people";
