// Calls of the account pages, loaded when these pages open.
import type { getPersonExport, postPersonExport } from "../../features/moving/person/actions.ts";
import type { deleteOwnUser } from "../../features/accounts/activation.ts";
import type {
  deleteBot,
  getBotKey,
  regenerateBotKey,
} from "../../features/accounts/bots/actions.ts";
import type { patchProfileData } from "../../features/accounts/profile.ts";
import type { deleteAlertWords, postAlertWords } from "../../features/alert-words/actions.ts";
import type { deleteAvatar } from "../../features/avatars/upload.ts";
import type { deleteAttachment, getAttachments } from "../../features/files/actions.ts";
import type {
  endAllApiKeys,
  endOneSession,
  endOtherSessions,
  makeAppPassword,
  removeAppPassword,
  showAccount,
} from "../../features/sign-in/account.ts";
import type {
  confirmApp,
  dropApp,
  dropPasskey,
  makePasskey,
  newPasskeyOptions,
  renewCodes,
  setUpApp,
} from "../../features/sign-in/enrol.ts";
import type { estimateNewPassword, setNewPassword } from "../../features/sign-in/new-password.ts";
import type { getBotCalls } from "../../features/webhooks/recent-calls.ts";
import { type AnswerOf, call } from "./call.ts";

interface UsageTimes {
  readonly created: number;
  readonly last_used: number;
}

export interface Account {
  readonly has_password: boolean;
  readonly has_app: boolean;
  readonly recovery_codes_left: number;
  readonly passkeys: readonly {
    readonly passkey_id: number;
    readonly name: string;
    readonly created: number;
    readonly last_used: number | null;
  }[];
  readonly sessions: readonly (UsageTimes & {
    readonly session_id: number;
    readonly browser: string;
    readonly current: boolean;
  })[];
  /** Includes API keys. */
  readonly app_passwords: readonly (UsageTimes & {
    readonly key_id: number;
    readonly name: string;
    readonly is_app_password: boolean;
  })[];
}

/** Returned with the first second factor. */
interface RecoveryCodes {
  readonly recovery_codes?: readonly string[];
}
/** Empty if an authenticator app is already set up. */
export interface AuthenticatorSecret {
  readonly secret?: string;
  readonly uri?: string;
}
interface PasskeyOptions {
  readonly ticket: string;
  readonly options: object;
}

export const fetchAccount = call<typeof showAccount, Account>("GET", "/account/", "view");
export const revokeSession = call<typeof endOneSession>("POST", "/account/sessions/end/", "send");
export const revokeSessions = call<typeof endOtherSessions>(
  "POST",
  "/account/sessions/end-others/",
  "send",
);
export const createKey = call<typeof makeAppPassword, { api_key: string }>(
  "POST",
  "/account/keys/",
  "send",
);
export const revokeKey = call<typeof removeAppPassword>("POST", "/account/keys/remove/", "send");
export const revokeApiKeys = call<typeof endAllApiKeys>("POST", "/account/keys/end-all/", "send");
export const setPassword = call<typeof setNewPassword>("POST", "/account/password/", "send");
export const fetchPasswordStrength = call<typeof estimateNewPassword>(
  "POST",
  "/account/password/strength/",
  "view",
);
export const startAuthenticatorSetup = call<typeof setUpApp, AuthenticatorSecret>(
  "POST",
  "/account/app/",
  "send",
);
export const confirmAuthenticator = call<typeof confirmApp, RecoveryCodes>(
  "POST",
  "/account/app/confirm/",
  "send",
);
export const removeAuthenticator = call<typeof dropApp>("POST", "/account/app/remove/", "send");
export const createRecoveryCodes = call<typeof renewCodes, RecoveryCodes>(
  "POST",
  "/account/recovery/",
  "send",
);
export const passkeyOptions = call<typeof newPasskeyOptions, PasskeyOptions>(
  "POST",
  "/account/passkeys/options/",
  "send",
);
export const addPasskey = call<typeof makePasskey, RecoveryCodes>(
  "POST",
  "/account/passkeys/",
  "send",
);
export const removePasskey = call<typeof dropPasskey>("POST", "/account/passkeys/remove/", "send");
export const fetchDataExport = call<typeof getPersonExport>("GET", "/account/export/", "view");
export type DataExport = AnswerOf<typeof getPersonExport>["export"];
export const requestDataExport = call<typeof postPersonExport>("POST", "/account/export/", "send");
export const deactivateSelf = call<typeof deleteOwnUser>("DELETE", "/users/me", "send");

export const updateProfileData = call<typeof patchProfileData>(
  "PATCH",
  "/users/me/profile_data",
  "send",
);
export const removePicture = call<typeof deleteAvatar>("DELETE", "/users/me/avatar", "send");
export const addAlertWords = call<typeof postAlertWords>("POST", "/users/me/alert_words", "flags");
export const dropAlertWords = call<typeof deleteAlertWords>(
  "DELETE",
  "/users/me/alert_words",
  "flags",
);
export const fetchFiles = call<typeof getAttachments>("GET", "/attachments", "view");
export const deleteFile = call<typeof deleteAttachment>(
  "DELETE",
  "/attachments/{attachment_id}",
  "send",
);
export const fetchBotKey = call<typeof getBotKey>("GET", "/bots/{bot_id}/api_key", "view");
export const renewBotKey = call<typeof regenerateBotKey>(
  "POST",
  "/bots/{bot_id}/api_key/regenerate",
  "send",
);
export const dropBot = call<typeof deleteBot>("DELETE", "/bots/{bot_id}", "send");
export const fetchBotCalls = call<typeof getBotCalls>("GET", "/bots/{bot_id}/calls", "view");
export type BotCall = AnswerOf<typeof getBotCalls>["calls"][number];
