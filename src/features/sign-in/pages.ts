// The pages on which people sign in and out.
import { Refusal } from "../../contract/errors/general.ts";
import { signInExpired, signInMethodOff } from "../../contract/errors/people.ts";
import { defaulted, endpoint, openEndpoint, text } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/asker/session.ts";
import { channelsOnTheWeb } from "../channels/spectator-wire.ts";
import { closedPage, isHere } from "../pages/closed.ts";
import { csrfParam, formPage, signInPage } from "../pages/form.ts";
import {
  ACCOUNT_PAGE,
  checkRedirect,
  queryOf,
  redirect,
  redirectParams,
  safeNext,
} from "../pages/login-redirect.ts";
import { checkOwnPassword } from "../passwords/own.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { findTicket, useUp } from "../secrets/tickets.ts";
import { endSession } from "../sessions/actions.ts";
import { leavingCookies } from "../sessions/begin.ts";
import { speechOf } from "../speech/choose.ts";
import { type Html, markup } from "../speech/markup.ts";
import { identityByPassword } from "./by-password.ts";
import { completeSignIn, enter, refusedPage } from "./complete.ts";
import { checkRoot } from "./go.ts";
import { HAND_OVER, handOverPage, type Waiting } from "./hand-over.ts";

/** Users who are signed in continue. An app gets a key only after the user confirms. */
export const showSignIn = openEndpoint({
  summary: "The form to sign in",
  tag: "Pages",
  params: { ...redirectParams, closed: defaulted(text, ""), ended: defaulted(text, "") },
  run: (context, { closed, ended, ...loginRedirect }) => {
    const { realm, request, user, session } = context;
    if (!isHere(realm)) return closedPage(context);
    checkRedirect(loginRedirect);
    const isClosing = closed !== "" && channelsOnTheWeb(realm.read).length === 0;
    const why = isClosing ? "nothing-open" : ended === "" ? undefined : "signed-out";
    if (!user || !session) return signInPage(context, loginRedirect, { why });
    if (loginRedirect.mobile_flow_otp !== undefined)
      return handOverPage({ realm, request, user, session }, loginRedirect);
    return redirect(safeNext(realm.config.url, loginRedirect.next), []);
  },
  withoutRealm(context, loginRedirect) {
    checkRoot(context);
    checkRedirect(loginRedirect);
    return redirect(`/accounts/go/${queryOf(loginRedirect)}`, []);
  },
});

export const signInByForm = openEndpoint({
  summary: "Sign in by the form",
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
      return refusedPage(context, loginRedirect, error, username);
    }
  },
});

/** A signed-in user confirms an app's access with the password. */
export const handOver = endpoint({
  summary: "Ask to hand the session over to an app",
  tag: "Pages",
  params: { ...redirectParams, password: defaulted(text, "") },
  run: async (context, { password, ...loginRedirect }) => {
    checkRedirect(loginRedirect);
    if (loginRedirect.mobile_flow_otp === undefined) return redirect(ACCOUNT_PAGE, []);
    try {
      await checkOwnPassword(context, password);
      return await enter(context, () => context.user.user_id, context.session!, loginRedirect);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error;
      return handOverPage(context, loginRedirect, { refusal: error, status });
    }
  },
});

/** A user who returns from an identity provider confirms an app's access. */
export const confirmHandOver = openEndpoint({
  summary: "Hand the session over to an app",
  tag: "Pages",
  params: { ticket: defaulted(text, ""), ...csrfParam },
  run: async (context, { ticket: token, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const found = findTicket(realm.read, HAND_OVER, token);
    if (!found) return refusedPage(context, {}, signInExpired());
    const { user_id, loginRedirect, ...way } = found.payload as Waiting;
    try {
      checkCsrf(realm, request, csrf);
      if (!methodNamed(realm.read, way.method)) throw signInMethodOff();
      const admit = (tx: Writer) => {
        const ticket = findTicket(tx, HAND_OVER, token);
        if (!ticket) throw signInExpired();
        useUp(tx, ticket);
        return user_id;
      };
      return await enter(context, admit, way, loginRedirect);
    } catch (error) {
      return refusedPage(context, loginRedirect, error);
    }
  },
});

export const showSignOut = openEndpoint({
  summary: "The form to sign out",
  tag: "Pages",
  params: {},
  run: (context) => {
    const { user, session } = context;
    if (!user || !session) return redirect("/login/", []);
    const { say, tell } = speechOf(context);
    const email = markup`<code>${user.delivery_email}</code>`;
    const body = (csrf: Html) => markup`<p>${tell("signed-in-as", { email })}</p>
<form method="post" action="/accounts/logout/">
${csrf}<button type="submit">${say("sign-out")}</button>
</form>`;
    return formPage(context, say("sign-out"), body);
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
    const answer = redirect("/login/", leavingCookies({ realm, request }));
    // Not "storage": the browser's own deletion would take unsent messages and drafts with it.
    answer.headers.set("Clear-Site-Data", '"cache"');
    return answer;
  },
});
