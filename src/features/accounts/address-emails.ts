// Emails about a change of address: confirmation to the new one, notice to the old one.
import type { Realm } from "../../realm.ts";
import type { Draft } from "../mail/email-content.ts";
import { NEW_ADDRESS } from "../rights/rules.ts";
import { decryptedKey } from "../secrets/encrypted.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import { confirmUrl, type NewAddress } from "./address.ts";

export function newAddressEmail(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== NEW_ADDRESS || ticket.expires <= read.now) return undefined;
  const { user_id, former, email, sealed } = ticket.payload as NewAddress;
  const [user, key] = [read.users.get(user_id), decryptedKey(realm, { hash, sealed })];
  if (!user?.is_active || key === undefined) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  return {
    to: { name: user.full_name, address: email },
    language,
    subject: translate("mail-confirm-address", { name }),
    blocks: [
      translate("mail-address-will-change", { former, name, url: config.url }),
      { label: translate("mail-confirm-new"), url: confirmUrl(realm, key) },
      translate("mail-link-for-a-day"),
    ],
    footer: [translate("mail-not-asked-unchanged")],
  };
}

/** The email to the account's current address. */
export function addressRequestedEmail({ read, config }: Realm, hash: string): Draft | undefined {
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== NEW_ADDRESS || ticket.expires <= read.now) return undefined;
  const { user_id, former, email } = ticket.payload as NewAddress;
  const user = read.users.get(user_id);
  if (!user?.is_active) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  return {
    to: { name: user.full_name, address: former },
    language,
    subject: translate("mail-address-wanted", { name }),
    blocks: [
      translate("mail-address-wanted-means", { name, url: config.url, email, former }),
      translate("mail-if-not-you-nothing"),
      { label: translate("mail-reset-password"), url: `${config.url}/accounts/password/reset/` },
    ],
  };
}

export function addressChangedEmail(
  { read, config }: Realm,
  user_id: number,
  former: string,
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  const email = user.delivery_email;
  return {
    to: { name: user.full_name, address: former },
    language,
    subject: translate("mail-address-changed", { name }),
    blocks: [
      translate("mail-address-changed-means", { name, url: config.url, email, former }),
      translate("mail-tell-administrator"),
    ],
  };
}
