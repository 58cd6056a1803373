// Emails about accounts: created, deactivated, or deleted with their organization.
import type { Realm } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { isDeactivated } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import { isBot } from "../rights/rules.ts";
import { visitorTranslator, userTranslator } from "../i18n/negotiate-language.ts";
import type { Mail } from "./actions.ts";
import type { Draft } from "./email-content.ts";

export const toUser = ({ full_name: name, delivery_email: address }: User) => ({ name, address });

export function welcomeEmail({ read, config }: Realm, user_id: number): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user?.is_active || isDeactivated(read)) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  return {
    to: toUser(user),
    language,
    subject: translate("welcome-to", { name }),
    blocks: [
      translate("mail-account-made", { name }),
      { label: name, url: config.url },
      translate("mail-then-sign-in", { email: user.delivery_email }),
    ],
  };
}

/** Undefined if no account has the address. */
export function accountFoundEmail({ read, config }: Realm, email: string): Draft | undefined {
  const user = read.users.findBy("email", foldedAddress(email));
  if (!user?.is_active || isBot(user) || isDeactivated(read)) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  return {
    to: toUser(user),
    language,
    subject: translate("mail-your-account", { name }),
    blocks: [
      translate("mail-have-account", { name }),
      { label: name, url: config.url },
      translate("mail-then-sign-in", { email: user.delivery_email }),
    ],
    footer: [translate("mail-asked-where")],
  };
}

export function accountDeactivatedEmail(
  { read, config }: Realm,
  { user_id, address, comment }: Mail & { about: "account closed" },
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user || user.is_active) return undefined;
  const { name } = read.settings;
  const text = comment.trim();
  // An erased account has no language setting any more.
  const { language, translate } = user.is_deleted ? visitorTranslator(read) : userTranslator(user);
  return {
    to: user.is_deleted ? { name: "", address } : toUser(user),
    language,
    subject: translate("mail-deactivated", { name }),
    blocks: [
      translate("mail-deactivated-means", { name, url: config.url }),
      ...(text === "" ? [] : [translate("mail-administrator-adds"), text]),
    ],
  };
}

export function organizationDeactivatedEmail(
  { read, config }: Realm,
  user_id: number,
  by_id: number,
): Draft | undefined {
  const [owner, actingUser] = [read.users.get(user_id), read.users.get(by_id)];
  if (!owner?.is_active || !isDeactivated(read)) return undefined;
  const { name } = read.settings;
  const { delete_at = null } = read.deactivations.get(REALM_ID)!;
  const translator = userTranslator(owner);
  const { language, translate } = translator;
  const [change, remedy] =
    delete_at === null
      ? [translate("mail-data-kept"), translate("mail-open-again")]
      : [
          translate("mail-data-deleted", { day: translator.day(delete_at) }),
          translate("mail-open-again-before"),
        ];
  const userName = actingUser?.full_name ?? translate("mail-an-owner");
  return {
    to: toUser(owner),
    language,
    subject: translate("mail-closed", { name }),
    blocks: [
      `${translate("mail-closed-means", { who: userName, name, url: config.url })} ${change}`,
      `${remedy} skein reactivate`,
    ],
  };
}
