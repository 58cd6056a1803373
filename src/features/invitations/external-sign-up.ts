// The page for new users who cannot sign up with a form here.
import type { PageRequest } from "../../endpoint.ts";
import { providerButtons } from "../pages/form.ts";
import { joinPath, queryOf } from "../pages/login-redirect.ts";
import { firstButton, page } from "../pages/page.ts";
import { hasIdentityProvider } from "../realm/addresses.ts";
import { EMAIL, LDAP, methodNamed } from "../realm/methods-wire.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";

const FORBIDDEN = 403;

/** After the identity provider, the user joins with the invitation of that key. */
const redirectBack = (key: string | undefined) => (key ? { next: joinPath(key) } : {});

export const loginPage = (key: string | undefined) => `/login/${queryOf(redirectBack(key))}`;

/** Rejects addresses that the provider did not verify, or that have an account with a password. */
export function otherSignUpPage(context: PageRequest, key?: string): Response {
  const translator = translatorOf(context);
  const { translate } = translator;
  const { read } = context.realm;
  const { name } = read.settings;
  if (!hasIdentityProvider(read)) {
    const body = markup`<p>${translate("needs-administrator-means", { name })}</p>
${firstButton("/login/", translate("sign-in-instead"))}`;
    return page(context, translate("needs-administrator"), body, FORBIDDEN);
  }
  const messageKey = methodNamed(read, EMAIL)
    ? "other-sign-in-required"
    : "external-passwords-only";
  const hasDirectory = methodNamed(read, LDAP) !== undefined;
  const form = hasDirectory
    ? firstButton(loginPage(key), translate("sign-in-to", { name }))
    : markup``;
  const body = markup`<p>${translate(messageKey, { name })}</p>
${form}${providerButtons(read, translator, redirectBack(key), hasDirectory)}`;
  return page(context, translate("sign-in-to-join", { name }), body, FORBIDDEN);
}
