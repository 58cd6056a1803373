// The pages for signing in and out.
import { Refusal } from "../../contract/errors/general.ts";
import { signInExpired, signInMethodOff } from "../../contract/errors/people.ts";
import { defaulted, endpoint, openEndpoint, text } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/caller/session.ts";
import { channelsOnTheWeb } from "../channels/spectator-wire.ts";
import { closedPage, isActive } from "../pages/closed.ts";
import { csrfParam, formPage, signInPage } from "../pages/form.ts";
import {
  ACCOUNT_PAGE,
  checkRedirect,
  queryOf,
  redirect,
  redirectParams,
  safeNext,
} from "../pages/login-redirect.ts";
import { checkOwnPassword } from "../passwords/confirm.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { findTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { endSession } from "../sessions/actions.ts";
import { endReasonOf } from "../sessions/end-reason.ts";
import { signedOutCookies } from "../sessions/start.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import { identityByPassword } from "./by-password.ts";
import { completeSignIn, signInVerified, signInErrorPage } from "./complete.ts";
import { checkRoot } from "./choose-organization.ts";
import { KEY_CONSENT, keyConsentPage, type WaitingApp } from "./key-consent.ts";

/** Users who are signed in continue. An app gets a key only after the user confirms. */
export const showSignIn = openEndpoint({
  summary: "Show the form to sign in",
  tag: "Pages",
  params: { ...redirectParams, closed: defaulted(text, ""), ended: defaulted(text, "") },
  run: (context, { closed, ended, ...loginRedirect }) => {
    const { realm, request, user, session } = context;
    if (!isActive(realm)) return closedPage(context);
    checkRedirect(loginRedirect);
    const isClosing = closed !== "" && channelsOnTheWeb(realm.read).length === 0;
    if (!user || !session) {
      const endReason = endReasonOf(realm, request) ?? (ended === "" ? undefined : "signed-out");
      return signInPage(context, loginRedirect, { why: isClosing ? "nothing-open" : endReason });
    }
    if (loginRedirect.mobile_flow_otp !== undefined)
      return keyConsentPage({ realm, request, user, session }, loginRedirect);
    return redirect(safeNext(realm.config.url, loginRedirect.next), []);
  },
  withoutRealm(context, loginRedirect) {
    checkRoot(context);
    checkRedirect(loginRedirect);
    return redirect(`/accounts/go/${queryOf(loginRedirect)}`, []);
  },
});

export const signInByForm = openEndpoint({
  summary: "Sign in with the form",
  tag: "Pages",
  params: {
    ...redirectParams,
    ...csrfParam,
    username: defaulted(text, ""),
    password: defaulted(text, ""),
  },
  run: async (context, { username, password, [CSRF_FIELD]: csrf, ...loginRedirect }) => {
    const { realm, request, address } = context;
    try {
      checkCsrf(realm, request, csrf);
      checkRedirect(loginRedirect);
      const identity = await identityByPassword(realm, { username, password, address, request });
      return await completeSignIn(context, identity, loginRedirect);
    } catch (error) {
      return signInErrorPage(context, loginRedirect, error, username);
    }
  },
});

/** A signed-in user confirms an app's access with the password. */
export const issueKey = endpoint({
  summary: "Show the form to hand the session over to an app",
  tag: "Pages",
  params: { ...redirectParams, password: defaulted(text, "") },
  run: async (context, { password, ...loginRedirect }) => {
    checkRedirect(loginRedirect);
    if (loginRedirect.mobile_flow_otp === undefined) return redirect(ACCOUNT_PAGE, []);
    try {
      const confirmed = await checkOwnPassword(context, password);
      return await signInVerified(
        context,
        (tx) => confirmed(tx).user_id,
        context.session!,
        loginRedirect,
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error;
      return keyConsentPage(context, loginRedirect, { refusal: error, status });
    }
  },
});

/** A user who returns from an identity provider confirms an app's access. */
export const confirmKeyIssue = openEndpoint({
  summary: "Hand the session over to an app",
  tag: "Pages",
  params: { ticket: defaulted(text, ""), ...csrfParam },
  run: async (context, { ticket: token, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const ticket = findTicket(realm.read, KEY_CONSENT, token);
    if (!ticket) return signInErrorPage(context, {}, signInExpired());
    const { user_id, loginRedirect, ...way } = ticket.payload as WaitingApp;
    try {
      checkCsrf(realm, request, csrf);
      if (!methodNamed(realm.read, way.method)) throw signInMethodOff();
      const accessUser = (tx: Writer) => {
        const ticket = findTicket(tx, KEY_CONSENT, token);
        if (!ticket) throw signInExpired();
        invalidateTicket(tx, ticket);
        return user_id;
      };
      return await signInVerified(context, accessUser, way, loginRedirect);
    } catch (error) {
      return signInErrorPage(context, loginRedirect, error);
    }
  },
});

export const showSignOut = openEndpoint({
  summary: "Show the form to sign out",
  tag: "Pages",
  params: {},
  run: (context) => {
    const { user, session } = context;
    if (!user || !session) return redirect("/login/", []);
    const { translate, translateHtml } = translatorOf(context);
    const email = markup`<code>${user.delivery_email}</code>`;
    const body = (csrf: Html) => markup`<p>${translateHtml("signed-in-as", { email })}</p>
<form method="post" action="/accounts/logout/">
${csrf}<button type="submit">${translate("sign-out")}</button>
</form>`;
    return formPage(context, translate("sign-out"), body);
  },
});

export const signOut = endpoint({
  summary: "Sign out",
  tag: "Pages",
  params: {},
  run: async ({ realm, request, session }) => {
    if (session) {
      await realm.write((tx) => {
        const own = tx.sessions.get(session.session_id);
        if (own) endSession(tx, own);
      });
    }
    const response = redirect("/login/", signedOutCookies({ realm, request }));
    // Omits "storage", which would delete unsent messages and drafts.
    response.headers.set("Clear-Site-Data", '"cache"');
    return response;
  },
});
