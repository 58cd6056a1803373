// The email to a user whose role or way to sign in an administrator has changed.
import type { Realm } from "../../../realm.ts";
import { toUser } from "../../mail/account-emails.ts";
import type { Mail } from "../../mail/actions.ts";
import type { Draft } from "../../mail/email-content.ts";
import { isDeactivated } from "../../realm/access.ts";
import { userSetting } from "../../settings/rules.ts";
import { userTranslator } from "../../i18n/negotiate-language.ts";
import { actText } from "../notice.ts";

export function administratorActedEmail(
  { read, config }: Realm,
  { user_id, by_id, at, ...act }: Extract<Mail, { about: "administrator acted" }>,
): Draft | undefined {
  const [user, actingUser] = [read.users.get(user_id), read.users.get(by_id)];
  if (!user?.is_active || !actingUser || isDeactivated(read)) return undefined;
  const translator = userTranslator(user);
  const { language, translate } = translator;
  const { name } = read.settings;
  const when = translator.formatTime(at, userSetting(user, "timezone") || "UTC");
  return {
    to: toUser(user),
    language,
    subject: translate(act.act === "role" ? "mail-role-changed" : "mail-administrator-acted", {
      name,
    }),
    blocks: [
      actText(translator, act, actingUser.full_name),
      translate("mail-administrator-acted-when", { when, url: config.url }),
      translate("mail-administrator-unexpected"),
    ],
  };
}
