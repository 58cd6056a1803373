// Calls with which administrators help users to sign in, loaded when a dialog needs them.
import type {
  getAccess,
  getSignIns,
  postDisableTwoFactor,
  postPasswordLink,
  postSignOut,
} from "../../features/accounts/administration/actions.ts";
import type { startConfirmation } from "../../features/two-factor/confirm.ts";
import { type AnswerOf, call } from "./call.ts";

const USER = "/administration/users/{user_id}";

export type AccountAccess = AnswerOf<typeof getAccess>;

export interface Confirmation {
  readonly has_password: boolean;
  readonly ticket: string | null;
  readonly options: PublicKeyCredentialRequestOptionsJSON | null;
}

export const fetchSignIns = call<typeof getSignIns>(
  "GET",
  "/administration/users/sign-ins/",
  "view",
);
export const fetchAccess = call<typeof getAccess>("GET", `${USER}/access/`, "view");
export const createPasswordLink = call<typeof postPasswordLink>(
  "POST",
  `${USER}/password-link/`,
  "send",
);
export const signOutEverywhere = call<typeof postSignOut>("POST", `${USER}/sign-out/`, "send");
export const disableTwoFactor = call<typeof postDisableTwoFactor>(
  "POST",
  `${USER}/disable-2fa/`,
  "send",
);
export const beginConfirmation = call<typeof startConfirmation, Confirmation>(
  "POST",
  "/account/confirmation/",
  "send",
);
