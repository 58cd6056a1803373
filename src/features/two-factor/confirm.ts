// Confirms the identity of a signed-in user before an action on another account.
import Type from "typebox";
import { signInExpired } from "../../contract/errors/people.ts";
import { nullable } from "../../contract/shapes/value-types.ts";
import { type Context, defaulted, endpoint, text } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { startAttempt } from "../passwords/attempts.ts";
import { checkOwnPassword, hasPassword } from "../passwords/confirm.ts";
import { accessActiveUser } from "../people/access.ts";
import { findTicket, issueTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { loggingErrors } from "../security-log/log.ts";
import { passkeysOf } from "./access.ts";
import { requestOptions, verifyPasskeyUse, usePasskey } from "./passkeys.ts";

const CONFIRMATION = "identity confirmation";
const CONFIRMATION_SECONDS = 600;

interface Payload {
  readonly user_id: number;
  readonly session_id: number | null;
}

type ConfirmingContext = Pick<Context, "realm" | "user" | "session" | "key" | "address">;

/** Either the password, or a passkey used for the ticket. */
export const confirmationParams = {
  password: defaulted(text, ""),
  ticket: defaulted(text, ""),
  credential: defaulted(text, ""),
};

export interface Confirmation {
  password: string;
  ticket: string;
  credential: string;
}

export const startConfirmation = endpoint({
  summary: "Begin to confirm your identity with a passkey",
  tag: "Signing in",
  params: {},
  answer: Type.Object({
    has_password: Type.Boolean(),
    /** `null` if the user has no passkey. */
    ticket: nullable(Type.String()),
    options: Type.Unknown(),
  }),
  run: async (context) => {
    const { realm, user, session } = context;
    const has_password = hasPassword(context);
    if (passkeysOf(realm.read, user.user_id).length === 0) {
      return { has_password, ticket: null, options: null };
    }
    const payload = { user_id: user.user_id, session_id: session?.session_id ?? null };
    const ticket = await realm.write((tx) =>
      issueTicket(tx, CONFIRMATION, payload satisfies Payload, CONFIRMATION_SECONDS),
    );
    const options = await requestOptions(realm, user.user_id, ticket, "required");
    return { has_password, ticket, options };
  },
});

/**
 * Returns what the transaction of the confirmed action must do first: it uses up a passkey's
 * ticket, and reads the acting user again, whose role may have changed while the identity was
 * checked. Throws if it is not confirmed.
 */
export async function confirmIdentity(
  context: ConfirmingContext,
  { password, ticket, credential }: Confirmation,
): Promise<(tx: Writer) => User> {
  if (credential === "") return checkOwnPassword(context, password);
  const { realm, user, session, address } = context;
  const { user_id } = user;
  const counted = startAttempt(realm, `factor ${user_id}`, address);
  const isOwn = (payload: Payload) =>
    payload.user_id === user_id && payload.session_id === (session?.session_id ?? null);
  const confirmation = findTicket(realm.read, CONFIRMATION, ticket);
  if (!confirmation || !isOwn(confirmation.payload as Payload)) throw signInExpired();
  const details = { user_id, address };
  const usedPasskey = await loggingErrors(realm, "a second factor", details, () =>
    verifyPasskeyUse(realm, user_id, ticket, credential, true),
  );
  counted.succeeded();
  return (tx) => {
    const open = findTicket(tx, CONFIRMATION, ticket);
    if (!open) throw signInExpired();
    invalidateTicket(tx, open);
    usePasskey(tx, usedPasskey);
    return accessActiveUser(tx, user);
  };
}

/**
 * Like `confirmIdentity`, for actions that programs use as well: a request with an API key needs no
 * confirmation.
 */
export async function confirmInBrowser(
  context: ConfirmingContext,
  confirmation: Confirmation,
): Promise<(tx: Writer) => User> {
  const { user, session } = context;
  return session === undefined ? () => user : confirmIdentity(context, confirmation);
}
