// Account actions of administrators for users who cannot sign in, or whose account is at risk.
import Type from "typebox";
import { passwordSignInOff } from "../../../contract/errors/people.ts";
import { list, nothing, nullable, seconds } from "../../../contract/shapes/value-types.ts";
import { type Context, endpoint, int } from "../../../endpoint.ts";
import type { Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { recordAct } from "../../audit/record.ts";
import { endKeysOf } from "../../keys/actions.ts";
import { openReset, RESET, RESET_SECONDS, resetUrl } from "../../passwords/reset.ts";
import { EMAIL, methodNamed } from "../../realm/methods-wire.ts";
import { type NewKey, encryptedKey } from "../../secrets/encrypted.ts";
import { invalidateTickets } from "../../secrets/one-time-links.ts";
import { endSessionsByAdmin } from "../../sessions/end-reason.ts";
import { hasSecondFactor } from "../../two-factor/access.ts";
import {
  type Confirmation,
  confirmationParams,
  confirmIdentity,
} from "../../two-factor/confirm.ts";
import { dropTwoFactor } from "../../two-factor/recovery.ts";
import { notifyUser } from "../notice.ts";
import { isOwner } from "../../rights/rules.ts";
import { accessForAccountHelp } from "./access.ts";

/** Ends earlier links of the account. */
function makePasswordLink(tx: Writer, actingUser: User, user_id: number, key: NewKey): void {
  const user = accessForAccountHelp(tx, actingUser, user_id);
  if (!methodNamed(tx, EMAIL)) throw passwordSignInOff();

  invalidateTickets(tx, RESET, user_id);
  openReset(tx, user, key, actingUser.user_id);
  recordAct(tx, { act: "password_link_made", on: "user", on_id: user_id });
  notifyUser(tx, actingUser, user, { act: "link" });
}

/** Ends the sessions of browsers and apps, and revokes app passwords. */
export function signOutEverywhere(tx: Writer, actingUser: User, user_id: number): void {
  const user = accessForAccountHelp(tx, actingUser, user_id);

  endSessionsByAdmin(tx, user_id);
  endKeysOf(tx, user);
  recordAct(tx, { act: "user_signed_out", on: "user", on_id: user_id });
  notifyUser(tx, actingUser, user, { act: "sign-out" });
}

function disableTwoFactor(tx: Writer, actingUser: User, user_id: number): void {
  const user = accessForAccountHelp(tx, actingUser, user_id);
  if (!hasSecondFactor(tx, user_id)) return;

  dropTwoFactor(tx, user_id);
  recordAct(tx, { act: "two_factor_disabled", on: "user", on_id: user_id });
  notifyUser(tx, actingUser, user, { act: "two-factor" });
}

export const getAccess = endpoint({
  summary: "Show how a user signs in, for administrators in a browser",
  tag: "People",
  params: { user_id: int },
  answer: Type.Object({
    /** `null` if the user has not signed in since the server records it. */
    last_sign_in: nullable(seconds),
    sessions: Type.Integer(),
    apps: Type.Integer(),
    has_password: Type.Boolean(),
    has_second_factor: Type.Boolean(),
  }),
  run: ({ realm: { read }, user: actingUser }, { user_id }) => {
    accessForAccountHelp(read, actingUser, user_id);
    return {
      last_sign_in: read.last_sign_ins.get(user_id)?.at ?? null,
      sessions: read.sessions.listBy("user", user_id).length,
      apps: read.api_keys.listBy("user", user_id).length,
      has_password: read.passwords.has(user_id),
      has_second_factor: hasSecondFactor(read, user_id),
    };
  },
});

export const getSignIns = endpoint({
  summary: "Show when users signed in last, for administrators in a browser",
  tag: "People",
  params: {},
  answer: Type.Object({
    /** Users who have not signed in since the server records it are left out. */
    last_sign_ins: list(Type.Object({ user_id: Type.Integer(), at: seconds })),
  }),
  run: ({ realm: { read }, user: actingUser }) => {
    const isShown = (user_id: number) => {
      const user = read.users.get(user_id);
      return user?.is_active === true && (!isOwner(user) || isOwner(actingUser));
    };
    const rows = [...read.last_sign_ins.range()].filter(({ user_id }) => isShown(user_id));
    return { last_sign_ins: rows.map(({ user_id, at }) => ({ user_id, at })) };
  },
});

const params = { user_id: int, ...confirmationParams };

/** Checks the permission first, so that only permitted users must enter their password. */
function confirmedAction(context: Context, user_id: number, confirmation: Confirmation) {
  accessForAccountHelp(context.realm.read, context.user, user_id);
  return confirmIdentity(context, confirmation);
}

export const postPasswordLink = endpoint({
  summary: "Create a link with which a user sets a new password",
  tag: "People",
  params,
  answer: Type.Object({ link: Type.String(), expires: seconds }),
  refuses: ["PASSWORD_AUTH_DISABLED"],
  run: async (context, { user_id, ...confirmation }) => {
    const { realm, user } = context;
    const useConfirmation = await confirmedAction(context, user_id, confirmation);
    const key = encryptedKey(realm);
    return realm.write((tx) => {
      useConfirmation(tx);
      makePasswordLink(tx, user, user_id, key);
      return { link: resetUrl(realm, key.key), expires: tx.now + RESET_SECONDS };
    });
  },
});

export const postSignOut = endpoint({
  summary: "Sign a user out of all browsers and apps",
  tag: "People",
  params,
  answer: nothing,
  run: async (context, { user_id, ...confirmation }) => {
    const useConfirmation = await confirmedAction(context, user_id, confirmation);
    return context.realm.write((tx) => {
      useConfirmation(tx);
      signOutEverywhere(tx, context.user, user_id);
      return {};
    });
  },
});

export const postDisableTwoFactor = endpoint({
  summary: "Remove a user's second factors and recovery codes",
  tag: "People",
  params,
  answer: nothing,
  run: async (context, { user_id, ...confirmation }) => {
    const useConfirmation = await confirmedAction(context, user_id, confirmation);
    return context.realm.write((tx) => {
      useConfirmation(tx);
      disableTwoFactor(tx, context.user, user_id);
      return {};
    });
  },
});
