// Routes of a browser session that belong to no page.
import { getUnsentKey, openUnsentKey } from "../../features/sessions/unsent-key.ts";
import { judgeNewPassword } from "../../features/sign-in/new-password.ts";
import { atBrowser } from "../../server/gate.ts";
import { GET, POST, type Route } from "../../server/routing.ts";

export const sessionRoutes: readonly Route[] = [
  POST("root:/json/account/password/strength/", atBrowser, judgeNewPassword),
  GET("root:/json/account/unsent/", atBrowser, getUnsentKey),
  POST("root:/json/account/unsent/", atBrowser, openUnsentKey),
];
