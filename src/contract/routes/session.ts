// Routes of browser sessions other than pages.
import {
  getAccess,
  getSignIns,
  postDisableTwoFactor,
  postPasswordLink,
  postSignOut,
} from "../../features/accounts/administration/actions.ts";
import { getLocalNetwork } from "../../features/invitations/local-network.ts";
import {
  downloadPersonExport,
  getPersonExport,
  postPersonExport,
} from "../../features/moving/person/actions.ts";
import { getUnsentKey, openUnsentKey } from "../../features/sessions/unsent-key.ts";
import { estimateNewPassword } from "../../features/sign-in/new-password.ts";
import { startConfirmation } from "../../features/two-factor/confirm.ts";
import { administratorsAtBrowser, browserOnly } from "../../server/gate.ts";
import { GET, POST, type Route } from "../../server/routing.ts";

/** The path is below one that later versions of the protocol will not use. */
const USER = "root:/json/administration/users/{user_id}";

// prettier-ignore
export const sessionRoutes: readonly Route[] = [
  POST("root:/json/account/password/strength/", browserOnly, estimateNewPassword),
  POST("root:/json/account/confirmation/", browserOnly, startConfirmation),
  GET("root:/json/invites/local-network/", browserOnly, getLocalNetwork),
  GET("root:/json/administration/users/sign-ins/", administratorsAtBrowser, getSignIns),
  GET(`${USER}/access/`, administratorsAtBrowser, getAccess),
  POST(`${USER}/password-link/`, administratorsAtBrowser, postPasswordLink),
  POST(`${USER}/sign-out/`, administratorsAtBrowser, postSignOut),
  POST(`${USER}/disable-2fa/`, administratorsAtBrowser, postDisableTwoFactor),
  GET("root:/json/account/export/", browserOnly, getPersonExport),
  POST("root:/json/account/export/", browserOnly, postPersonExport),
  GET("root:/json/account/export/file/", browserOnly, downloadPersonExport),
  GET("root:/json/account/unsent/", browserOnly, getUnsentKey),
  POST("root:/json/account/unsent/", browserOnly, openUnsentKey),
];
