// The letter with which somebody who has forgotten the password sets a new one.
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account.ts";
import type { Draft } from "../mail/letter.ts";
import { isClosed } from "../realm/access.ts";
import { unsealed } from "../secrets/sealed.ts";
import { RESET, resetUrl, type ResetTicket } from "./reset.ts";

export function resetLetter(realm: Realm, hash: string): Draft | undefined {
  const { read } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== RESET || ticket.expires <= read.now || isClosed(read)) return undefined;
  const { user_id, sealed } = ticket.payload as ResetTicket;
  const [user, key] = [read.users.get(user_id), unsealed(realm, { hash, sealed })];
  if (!user?.is_active || key === undefined) return undefined;
  const { name } = read.settings;
  return {
    to: toUser(user),
    subject: `Set a new password for ${name}`,
    blocks: [
      `Somebody, hopefully you, wants to set a new password for ${user.delivery_email} in ${name}.`,
      { label: "Set a new password", url: resetUrl(realm, key) },
      "The link works once, for a day.",
    ],
    footer: ["If you did not ask for it, you need not do anything: your password stays as it is."],
  };
}
