// The letter with which somebody who has forgotten the password sets a new one.
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account.ts";
import type { Draft } from "../mail/letter.ts";
import { isClosed } from "../realm/access.ts";
import { unsealed } from "../secrets/sealed.ts";
import { speechTo } from "../speech/choose.ts";
import { RESET, resetUrl, type ResetTicket } from "./reset.ts";

export function resetLetter(realm: Realm, hash: string): Draft | undefined {
  const { read } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== RESET || ticket.expires <= read.now || isClosed(read)) return undefined;
  const { user_id, sealed } = ticket.payload as ResetTicket;
  const [user, key] = [read.users.get(user_id), unsealed(realm, { hash, sealed })];
  if (!user?.is_active || key === undefined) return undefined;
  const { name } = read.settings;
  const { language, say } = speechTo(user);
  return {
    to: toUser(user),
    language,
    subject: say("new-password-for", { name }),
    blocks: [
      say("mail-new-password", { email: user.delivery_email, name }),
      { label: say("mail-set-password"), url: resetUrl(realm, key) },
      say("mail-link-for-a-day"),
    ],
    footer: [say("mail-password-stays")],
  };
}
