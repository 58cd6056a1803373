// The page of newcomers who cannot join by a form here: who knows them, or who can help.
import type { OpenContext } from "../../endpoint.ts";
import { wayButtons } from "../pages/form.ts";
import { joinPath, queryOf } from "../pages/login-redirect.ts";
import { firstButton, page } from "../pages/page.ts";
import { isVouchedElsewhere } from "../realm/addresses.ts";
import { EMAIL, LDAP, methodNamed } from "../realm/methods-wire.ts";
import { speechOf } from "../speech/choose.ts";
import { markup } from "../speech/markup.ts";

const FORBIDDEN = 403;

type Asked = Pick<OpenContext, "realm" | "request">;

/** After the identity provider, the user joins with the invitation of that key. */
const redirectBack = (key: string | undefined) => (key ? { next: joinPath(key) } : {});

export const loginPage = (key: string | undefined) => `/login/${queryOf(redirectBack(key))}`;

/** Rejects addresses that the provider did not verify, or that have an account with a password. */
export function elsewherePage(context: Asked, key?: string): Response {
  const speech = speechOf(context);
  const { say } = speech;
  const { read } = context.realm;
  const { name } = read.settings;
  if (!isVouchedElsewhere(read)) {
    const body = markup`<p>${say("needs-administrator-means", { name })}</p>
${firstButton("/login/", say("sign-in-instead"))}`;
    return page(context, say("needs-administrator"), body, FORBIDDEN);
  }
  const why = methodNamed(read, EMAIL) ? "come-by-another" : "come-by-another-only";
  const hasDirectory = methodNamed(read, LDAP) !== undefined;
  const form = hasDirectory ? firstButton(loginPage(key), say("sign-in-to", { name })) : markup``;
  const body = markup`<p>${say(why, { name })}</p>
${form}${wayButtons(read, speech, redirectBack(key), hasDirectory)}`;
  return page(context, say("sign-in-to-join", { name }), body, FORBIDDEN);
}
