// Sign-in with an identity provider: the redirect to it, and the return.
import { Refusal, pathNotFound } from "../../contract/errors/general.ts";
import {
  emailNotVerified,
  signInMethodOff,
  signInNotStarted,
} from "../../contract/errors/people.ts";
import { type OpenContext, openEndpoint, optional, text } from "../../endpoint.ts";
import {
  checkRedirect,
  type LoginRedirect,
  redirect,
  redirectOf,
  redirectParams,
} from "../pages/login-redirect.ts";
import { checkNavigation } from "../pages/navigation.ts";
import { startAttempt } from "../passwords/attempts.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { OIDC } from "../realm/provider-rules.ts";
import { isEmail } from "../rights/rules.ts";
import { checkOpen, completeSignIn, signInErrorPage } from "../sign-in/complete.ts";
import { loggingErrors } from "../security-log/log.ts";
import { type IdentityProvider, providerNamed } from "./providers.ts";
import { newState, noStateCookie, type State, stateCookie, stateIn, useState } from "./state.ts";

const UNAVAILABLE = 503;

export const redirectToProvider = openEndpoint({
  summary: "Start a sign-in with an identity provider",
  tag: "Pages",
  params: { provider: text, ...redirectParams },
  run: async (context, { provider, ...loginRedirect }) => {
    const { realm } = context;
    checkNavigation(context.request);
    checkRedirect(loginRedirect);
    const identityProvider = providerOf(context, provider);
    try {
      checkOpen(realm.read);
      if (!methodNamed(realm.read, OIDC)) throw signInMethodOff();
      const state = newState(realm, provider, redirectOf(loginRedirect));
      const address = await identityProvider.begin({
        ...state,
        redirect_uri: callbackUrl(context, provider),
      });
      return redirect(address, [stateCookie(realm, context.request, state)]);
    } catch (error) {
      return signInErrorPage(context, loginRedirect, error);
    }
  },
});

/** The provider's response is in the query, which is decoded as a whole. */
export const returnFromProvider = openEndpoint({
  summary: "Complete a sign-in with an identity provider",
  tag: "Pages",
  params: {
    provider: text,
    code: optional(text),
    state: optional(text),
    iss: optional(text),
    error: optional(text),
  },
  run: async (context, { provider, state: value }) => {
    checkNavigation(context.request);
    const identityProvider = providerOf(context, provider);
    const signInState = stateIn(context.realm, context.request);
    const isOurs = signInState?.provider === provider && signInState.state === value;
    const state = isOurs ? signInState : undefined;
    const response = await finishSignIn(context, identityProvider, state);
    // Another sign-in in the same browser may continue.
    if (state) response.headers.append("Set-Cookie", noStateCookie(context.realm, context.request));
    return response;
  },
});

async function finishSignIn(
  context: OpenContext,
  identityProvider: IdentityProvider,
  state: State | undefined,
): Promise<Response> {
  const loginRedirect: LoginRedirect = state?.loginRedirect ?? {};
  try {
    const { realm } = context;
    checkOpen(realm.read);
    if (!methodNamed(realm.read, OIDC)) throw signInMethodOff();
    const { address } = context;
    const { email, full_name } = await loggingErrors(
      realm,
      "a sign-in",
      { address, method: OIDC },
      () => {
        if (state === undefined || !useState(realm, state)) throw signInNotStarted();
        return identityFrom(context, identityProvider, state);
      },
    );
    const { auto_signup } = identityProvider.config;
    return await completeSignIn(
      context,
      { email, full_name, auto_signup, method: OIDC },
      loginRedirect,
    );
  } catch (error) {
    return signInErrorPage(context, loginRedirect, error);
  }
}

/** Finds the user by the email address that the provider has verified. */
async function identityFrom(
  context: OpenContext,
  identityProvider: IdentityProvider,
  state: State,
) {
  const { realm, request, address } = context;
  const { display_name, accept_unverified_email } = identityProvider.config;
  const counted = startAttempt(realm, `${OIDC} ${state.state}`, address);
  const response = new URL(request.url, realm.config.url).searchParams;
  const signInState = { ...state, redirect_uri: callbackUrl(context, state.provider) };
  const { email, is_verified, full_name } = await identityProvider
    .finish(response, signInState)
    .catch((error) => {
      if (error instanceof Refusal && error.status === UNAVAILABLE) counted.succeeded();
      throw error;
    });
  counted.succeeded();
  const isForeign = is_verified ?? accept_unverified_email;
  if (email === undefined || !isForeign || !isEmail(email)) throw emailNotVerified(display_name);
  return { email, full_name };
}

function providerOf({ realm }: OpenContext, name: string): IdentityProvider {
  const identityProvider = providerNamed(realm, name);
  if (identityProvider === undefined) throw pathNotFound();
  return identityProvider;
}

const callbackUrl = ({ realm }: OpenContext, name: string) =>
  `${realm.config.url}/complete/oidc/${name}/`;
