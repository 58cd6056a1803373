// Letters about accounts as a whole: made, switched off, gone with their organization.
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { isClosed } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import { isBot } from "../rights/rules.ts";
import type { Mail } from "./actions.ts";
import type { Draft } from "./letter.ts";

export const toUser = ({ full_name: name, delivery_email: address }: User) => ({ name, address });

export function welcomeLetter({ read, config }: Realm, user_id: number): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user?.is_active || isClosed(read)) return undefined;
  const { name } = read.settings;
  return {
    to: toUser(user),
    subject: `Welcome to ${name}`,
    blocks: [
      `Your account in ${name} is made. In any client, give this as the address of the server:`,
      { label: name, url: config.url },
      `Then sign in as ${user.delivery_email}.`,
    ],
  };
}

/** Nobody who has no account gets one. */
export function accountFoundLetter({ read, config }: Realm, email: string): Draft | undefined {
  const user = read.users.one("email", foldedAddress(email));
  if (!user?.is_active || isBot(user) || isClosed(read)) return undefined;
  const { name } = read.settings;
  return {
    to: toUser(user),
    subject: `Your account in ${name}`,
    blocks: [
      `You have an account in ${name}. In any client, give this as the address of the server:`,
      { label: name, url: config.url },
      `Then sign in as ${user.delivery_email}.`,
    ],
    footer: ["Somebody, hopefully you, asked where this address has accounts."],
  };
}

export function accountClosedLetter(
  { read, config }: Realm,
  { user_id, address, comment }: Mail & { about: "account closed" },
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user || user.is_active) return undefined;
  const { name } = read.settings;
  const words = comment.trim();
  return {
    // The account may say nothing of its person any more.
    to: user.is_deleted ? { name: "", address } : toUser(user),
    subject: `Your account in ${name} has been deactivated`,
    blocks: [
      `Your account in ${name} (${config.url}) has been deactivated: you can no longer sign in.`,
      ...(words === "" ? [] : ["An administrator adds:", words]),
    ],
  };
}

export function organizationClosedLetter(
  { read, config }: Realm,
  user_id: number,
  by_id: number,
): Draft | undefined {
  const [owner, by] = [read.users.get(user_id), read.users.get(by_id)];
  if (!owner?.is_active || !isClosed(read)) return undefined;
  const { name } = read.settings;
  const { delete_at = null } = read.deactivations.get(REALM_ID)!;
  const fate =
    delete_at === null
      ? "Its data is kept."
      : `All of its data is deleted on ${new Date(delete_at * 1000).toISOString().slice(0, 10)}.`;
  const until = delete_at === null ? "" : " before that";
  return {
    to: toUser(owner),
    subject: `${name} has been deactivated`,
    blocks: [
      `${by?.full_name ?? "An owner"} has deactivated ${name} (${config.url}). Nobody can sign ` +
        `in any more. ${fate}`,
      `Whoever runs the server can open it again${until}, with: skein reactivate`,
    ],
  };
}
