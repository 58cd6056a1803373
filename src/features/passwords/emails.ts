// The email with the link to reset a forgotten password.
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account-emails.ts";
import type { Draft } from "../mail/email-content.ts";
import { isDeactivated } from "../realm/access.ts";
import { decryptedKey } from "../secrets/encrypted.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { RESET, resetUrl, type ResetTicket } from "./reset.ts";

export function passwordResetEmail(realm: Realm, hash: string): Draft | undefined {
  const { read } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== RESET || ticket.expires <= read.now || isDeactivated(read)) return undefined;
  const { user_id, sealed } = ticket.payload as ResetTicket;
  const [user, key] = [read.users.get(user_id), decryptedKey(realm, { hash, sealed })];
  if (!user?.is_active || key === undefined) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  return {
    to: toUser(user),
    language,
    subject: translate("new-password-for", { name }),
    blocks: [
      translate("mail-new-password", { email: user.delivery_email, name }),
      { label: translate("mail-set-password"), url: resetUrl(realm, key) },
      translate("mail-link-for-a-day"),
    ],
    footer: [translate("mail-password-stays")],
  };
}
