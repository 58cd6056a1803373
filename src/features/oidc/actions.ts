// Signing in by way of a provider: off to it, and back with its word.
import { type OpenContext, openEndpoint, optional, text } from "../../endpoint.ts";
import { addressNotVouchedFor, signInMethodOff, signInNotBegun } from "../../errors-people.ts";
import { Refusal, pathNotFound } from "../../errors.ts";
import { attempt } from "../sessions/attempts.ts";
import { checkOpen, completeSignIn, redirect, refusedPage } from "../sessions/complete.ts";
import { checkGoing, type Going, goingOf, goingParams } from "../sessions/going.ts";
import { methodNamed } from "../sessions/methods.ts";
import { isEmail } from "../users/rules.ts";
import { type Voucher, voucherNamed } from "./providers.ts";
import { OIDC } from "./rules.ts";
import { newState, noStateCookie, type State, stateCookie, stateIn, useState } from "./state.ts";

const UNAVAILABLE = 503;

export const goToProvider = openEndpoint({
  params: { provider: text, ...goingParams },
  run: async (context, { provider, ...going }) => {
    const { realm } = context;
    checkGoing(going);
    const voucher = voucherOf(context, provider);
    try {
      checkOpen(realm.read);
      if (!methodNamed(realm.read, OIDC)) throw signInMethodOff();
      const state = newState(realm, provider, goingOf(going));
      const address = await voucher.begin({ ...state, redirect_uri: returnTo(context, provider) });
      return redirect(address, [stateCookie(realm, state)]);
    } catch (error) {
      return refusedPage(context, going, error);
    }
  },
});

/** What the provider says stands in the query, which is read as a whole. */
export const comeFromProvider = openEndpoint({
  params: {
    provider: text,
    code: optional(text),
    state: optional(text),
    iss: optional(text),
    error: optional(text),
  },
  run: async (context, { provider, state: given }) => {
    const voucher = voucherOf(context, provider);
    const begun = stateIn(context.realm, context.request);
    const isOurs = begun?.provider === provider && begun.state === given;
    const state = isOurs ? begun : undefined;
    const response = await arrived(context, voucher, state);
    // Another sign-in that the browser has begun may go on.
    if (state) response.headers.append("Set-Cookie", noStateCookie(context.realm));
    return response;
  },
});

async function arrived(
  context: OpenContext,
  voucher: Voucher,
  state: State | undefined,
): Promise<Response> {
  const going: Going = state?.going ?? {};
  try {
    const { realm } = context;
    checkOpen(realm.read);
    if (!methodNamed(realm.read, OIDC)) throw signInMethodOff();
    if (state === undefined || !useState(realm, state)) throw signInNotBegun();
    const { email, full_name } = await vouchedBy(context, voucher, state);
    const { auto_signup } = voucher.config;
    return await completeSignIn(context, { email, full_name, auto_signup, method: OIDC }, going);
  } catch (error) {
    return refusedPage(context, going, error);
  }
}

/** Whose address the provider says to be theirs. */
async function vouchedBy(context: OpenContext, voucher: Voucher, state: State) {
  const { realm, request, address } = context;
  const { display_name, accept_unverified_email } = voucher.config;
  const counted = attempt(realm, `${OIDC} ${state.state}`, address);
  const answer = new URL(request.url, realm.config.url).searchParams;
  const begun = { ...state, redirect_uri: returnTo(context, state.provider) };
  const { email, is_verified, full_name } = await voucher.finish(answer, begun).catch((error) => {
    if (error instanceof Refusal && error.status === UNAVAILABLE) counted.succeeded();
    throw error;
  });
  counted.succeeded();
  const isTheirs = is_verified || accept_unverified_email;
  if (email === undefined || !isTheirs || !isEmail(email)) throw addressNotVouchedFor(display_name);
  return { email, full_name };
}

function voucherOf({ realm }: OpenContext, name: string): Voucher {
  const voucher = voucherNamed(realm, name);
  if (voucher === undefined) throw pathNotFound();
  return voucher;
}

const returnTo = ({ realm }: OpenContext, name: string) =>
  `${realm.config.url}/complete/oidc/${name}/`;
