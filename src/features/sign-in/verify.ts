// The second step of a sign-in: a code or passkey after the password.
import { Refusal } from "../../contract/errors/general.ts";
import {
  codeWrong,
  signInExpired,
  signInFailed,
  signInMethodOff,
} from "../../contract/errors/people.ts";
import { defaulted, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/caller/session.ts";
import { csrfParam } from "../pages/form.ts";
import { type Attempt, startAttempt } from "../passwords/attempts.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { findTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { hasApp } from "../two-factor/access.ts";
import { isAppCode, periodOf, usePeriod } from "../two-factor/totp.ts";
import {
  type PendingSignIn,
  passwordMark,
  SECOND_FACTOR,
  secondFactorPage,
} from "../two-factor/challenge.ts";
import { requestOptions, verifyPasskeyUse, usePasskey } from "../two-factor/passkeys.ts";
import { useRecoveryCode } from "../two-factor/recovery.ts";
import { logRefusal } from "../security-log/log.ts";
import { signInVerified, signInErrorPage } from "./complete.ts";

/** Verifies the second factor, and returns what to do in the transaction of the sign-in. */
type VerifySecondFactor = (realm: Realm, half: PendingSignIn) => Promise<(tx: Writer) => void>;

export const verifyCode = openEndpoint({
  summary: "Sign in with a code as second factor",
  tag: "Pages",
  params: { ticket: defaulted(text, ""), code: defaulted(text, ""), ...csrfParam },
  run: (context, { ticket, code, [CSRF_FIELD]: csrf }) =>
    completeSecondStep(context, ticket, csrf, (realm, { user_id }) =>
      useCode(realm, user_id, code),
    ),
});

export const verifyPasskey = openEndpoint({
  summary: "Sign in with a passkey as second factor",
  tag: "Pages",
  params: { ticket: defaulted(text, ""), credential: defaulted(text, ""), ...csrfParam },
  run: (context, { ticket, credential, [CSRF_FIELD]: csrf }) =>
    completeSecondStep(context, ticket, csrf, async (realm, { user_id }) => {
      const usedPasskey = await verifyPasskeyUse(realm, user_id, ticket, credential);
      return (tx) => usePasskey(tx, usedPasskey);
    }),
});

/** Returns the options that the page's script passes to the browser. */
export const passkeyOptions = openEndpoint({
  summary: "Get the options for signing in with a passkey",
  tag: "Pages",
  params: { ticket: defaulted(text, ""), credential: defaulted(text, ""), ...csrfParam },
  run: async ({ realm, request }, { ticket, [CSRF_FIELD]: csrf }) => {
    checkCsrf(realm, request, csrf);
    const half = pendingSignIn(realm.read, ticket);
    if (!half) throw signInExpired();
    return { options: await requestOptions(realm, half.user_id, ticket) };
  },
});

async function useCode(
  realm: Realm,
  user_id: number,
  typed: string,
): Promise<(tx: Writer) => void> {
  const code = typed.replaceAll(/\s/g, "");
  if (!isAppCode(code)) {
    return (tx) => {
      if (!useRecoveryCode(tx, user_id, code)) throw codeWrong();
    };
  }
  const period = await periodOf(realm, user_id, code);
  return (tx) => {
    // A secret that was displayed but never confirmed may be known to others.
    if (!hasApp(tx, user_id)) throw codeWrong();
    if (period === undefined || !usePeriod(tx, user_id, period)) throw codeWrong();
  };
}

async function completeSecondStep(
  context: OpenContext,
  token: string,
  csrf: string,
  proof: VerifySecondFactor,
): Promise<Response> {
  const { realm, request, address } = context;
  const half = pendingSignIn(realm.read, token);
  if (!half) return signInErrorPage(context, {}, signInExpired());
  const { user_id, loginRedirect } = half;
  try {
    checkCsrf(realm, request, csrf);
    if (!methodNamed(realm.read, half.method)) throw signInMethodOff();
    const counted: Attempt = startAttempt(realm, `factor ${user_id}`, address);
    const consume = await proof(realm, half);
    const accessUser = (tx: Writer) => {
      const ticket = findTicket(tx, SECOND_FACTOR, token);
      if (!ticket) throw signInExpired();
      if (passwordMark(tx, user_id) !== half.password) throw signInFailed();
      consume(tx);
      invalidateTicket(tx, ticket);
      return user_id;
    };
    const entered = await signInVerified(context, accessUser, half, loginRedirect);
    counted.succeeded();
    return entered;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    logRefusal(realm, "a second factor", { user_id, address }, error);
    if (!pendingSignIn(realm.read, token)) return signInErrorPage(context, loginRedirect, error);
    const { status } = error;
    return secondFactorPage(context, token, half, { refusal: error, status });
  }
}

function pendingSignIn(reader: Reader, token: string): PendingSignIn | undefined {
  return findTicket(reader, SECOND_FACTOR, token)?.payload as PendingSignIn | undefined;
}
