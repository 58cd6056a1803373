// The letters about a change of address: to the new one to confirm it, to the old one as a notice.
import type { Realm } from "../../realm.ts";
import type { Draft } from "../mail/letter.ts";
import { NEW_ADDRESS } from "../rights/rules.ts";
import { unsealed } from "../secrets/sealed.ts";
import { confirmUrl, type NewAddress } from "./address.ts";

export function newAddressLetter(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== NEW_ADDRESS || ticket.expires <= read.now) return undefined;
  const { user_id, former, email, sealed } = ticket.payload as NewAddress;
  const [user, key] = [read.users.get(user_id), unsealed(realm, { hash, sealed })];
  if (!user?.is_active || key === undefined) return undefined;
  const { name } = read.settings;
  return {
    to: { name: user.full_name, address: email },
    subject: `Confirm your new address for ${name}`,
    blocks: [
      `The account of ${former} in ${name} (${config.url}) is to have this address from now on.`,
      { label: "Confirm the new address", url: confirmUrl(realm, key) },
      "The link works once, for a day.",
    ],
    footer: ["If you did not ask for it, you need not do anything: nothing is changed."],
  };
}

/** To the address that the account has still. */
export function addressAskedLetter({ read, config }: Realm, hash: string): Draft | undefined {
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== NEW_ADDRESS || ticket.expires <= read.now) return undefined;
  const { user_id, former, email } = ticket.payload as NewAddress;
  const user = read.users.get(user_id);
  if (!user?.is_active) return undefined;
  const { name } = read.settings;
  return {
    to: { name: user.full_name, address: former },
    subject: `Another address is wanted for your account in ${name}`,
    blocks: [
      `Somebody, hopefully you, wants your account in ${name} (${config.url}) to have the ` +
        `address ${email} in the place of ${former}. It has to be confirmed there first.`,
      "If that was not you, set another password at once: then nothing comes of it.",
      { label: "Reset your password", url: `${config.url}/accounts/password/reset/` },
    ],
  };
}

export function addressChangedLetter(
  { read, config }: Realm,
  user_id: number,
  former: string,
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user) return undefined;
  const { name } = read.settings;
  return {
    to: { name: user.full_name, address: former },
    subject: `Your address for ${name} has changed`,
    blocks: [
      `Your account in ${name} (${config.url}) has the address ${user.delivery_email} now, and ` +
        `no longer ${former}.`,
      "If you did not ask for this, tell an administrator of the organization at once.",
    ],
  };
}
