// The pages on which people sign in and out.
import { defaulted, endpoint, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/session.ts";
import { isClosed } from "../realm/access.ts";
import { checkRoot } from "../realm/go.ts";
import { type Html, markup, page } from "../realm/page.ts";
import { endSession } from "./actions.ts";
import { identityByPassword } from "./by-password.ts";
import { completeSignIn, enter, leavingCookies, redirect, refusedPage } from "./complete.ts";
import { csrfParam, formPage, goingFields, schemesOf, signInPage } from "./form.ts";
import { ACCOUNT_PAGE, checkGoing, type Going, goingParams, queryOf, safeNext } from "./going.ts";
import { EMAIL } from "./methods.ts";

const GONE = 410;

const isHere = ({ read }: Realm) => read.realm.has(1) && !isClosed(read);

/** Who is signed in already goes on; an app gets a key only when the person says so. */
export const showSignIn = openEndpoint({
  params: goingParams,
  run: (context, going) => {
    const { realm, user, session } = context;
    if (!isHere(realm)) return closedPage(realm);
    checkGoing(going);
    if (!user || !session) return signInPage(context, going);
    if (going.mobile_flow_otp !== undefined) return handOverPage(context, user, going);
    return redirect(safeNext(realm.config.url, going.next), []);
  },
  withoutRealm(context, going) {
    checkRoot(context);
    checkGoing(going);
    return redirect(`/accounts/go/${queryOf(going)}`, []);
  },
});

export const signInByForm = openEndpoint({
  params: {
    ...goingParams,
    ...csrfParam,
    username: defaulted(text, ""),
    password: defaulted(text, ""),
  },
  run: async (context, { username, password, [CSRF_FIELD]: csrf, ...going }) => {
    const { realm, request, address } = context;
    try {
      checkCsrf(realm, request, csrf);
      checkGoing(going);
      const identity = await identityByPassword(realm, { username, password, address });
      return await completeSignIn(context, identity, going);
    } catch (error) {
      return refusedPage(context, going, error, username);
    }
  },
});

/** Somebody who is signed in lets an app in. */
export const handOver = endpoint({
  params: goingParams,
  run: (context, going) => {
    checkGoing(going);
    if (going.mobile_flow_otp === undefined) return redirect(ACCOUNT_PAGE, []);
    const method = context.session?.method ?? EMAIL;
    return enter(context, () => context.user.user_id, method, going);
  },
});

function handOverPage(context: OpenContext, { delivery_email }: User, going: Going): Response {
  const body = (csrf: Html) => markup`<p>An app wants to be signed in as
<code>${delivery_email}</code>. Go on only if you have just asked for it on this device.</p>
<form method="post" action="/accounts/login/app/">
${csrf}${goingFields(going)}
<button type="submit">Sign the app in</button>
</form>`;
  return formPage(context, "Sign in an app", body, { schemes: schemesOf(going) });
}

export const showSignOut = openEndpoint({
  params: {},
  run: (context) => {
    const { user, session } = context;
    if (!user || !session) return redirect("/login/", []);
    const body = (csrf: Html) => markup`<p>You are signed in as
<code>${user.delivery_email}</code>.</p>
<form method="post" action="/accounts/logout/">
${csrf}<button type="submit">Sign out</button>
</form>`;
    return formPage(context, "Sign out", body);
  },
});

export const signOut = endpoint({
  params: {},
  run: async ({ realm, session }) => {
    if (session) {
      await realm.write((tx) => {
        const own = tx.sessions.get(session.session_id);
        if (own) endSession(tx, own);
      });
    }
    return redirect("/login/", leavingCookies(realm));
  },
});

export const home = openEndpoint({
  params: {},
  run: ({ session }) => redirect(session ? ACCOUNT_PAGE : "/login/", []),
  withoutRealm(context) {
    checkRoot(context);
    return redirect("/accounts/go/", []);
  },
});

function closedPage(realm: Realm): Response {
  const words = realm.read.realm.has(1)
    ? markup`<p>Its owners have closed it. Nobody can sign in.</p>`
    : markup`<p>The operator finds the address at which to set it up in the server's output.</p>`;
  const title = realm.read.realm.has(1) ? "Closed" : "No organization yet";
  return page(title, words, GONE);
}
