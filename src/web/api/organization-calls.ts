// What the pages of the organization ask of the server; loaded late, as they are.
import type { patchDefaults } from "../../features/accounts/default-settings.ts";
import type { deleteUser, restoreUser } from "../../features/accounts/activity.ts";
import type { updateUser } from "../../features/accounts/changes.ts";
import type { postTestWelcome } from "../../features/invitations/welcome.ts";
import type { patchRealm } from "../../features/organization/change.ts";
import type { deleteIcon } from "../../features/organization/pictures.ts";
import { call } from "./call.ts";

export const changeRealm = call<typeof patchRealm>("PATCH", "/realm", "send", true);
export const changeDefaults = call<typeof patchDefaults>(
  "PATCH",
  "/realm/user_settings_defaults",
  "send",
  true,
);
export const tryWelcome = call<typeof postTestWelcome>(
  "POST",
  "/realm/test_welcome_bot_custom_message",
  "send",
);
export const removeIcon = call<typeof deleteIcon>("DELETE", "/realm/icon", "send");

export const changePerson = call<typeof updateUser>("PATCH", "/users/{user_id}", "send", true);
export const deactivatePerson = call<typeof deleteUser>("DELETE", "/users/{user_id}", "send");
export const restorePerson = call<typeof restoreUser>(
  "POST",
  "/users/{user_id}/reactivate",
  "send",
);
