// The email to an owner when a backup or its restore test fails.
import { OWNER } from "../../contract/roles.ts";
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account-emails.ts";
import type { Mail } from "../mail/actions.ts";
import type { Draft } from "../mail/email-content.ts";
import { isMultiTenant } from "../realm/multi-tenant.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";

export function backupFailedEmail(
  { read, config }: Realm,
  { user_id, words: text }: Extract<Mail, { about: "backup failed" }>,
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user?.is_active || user.role !== OWNER) return undefined;
  const { name } = read.settings;
  const { language, translate } = userTranslator(user);
  // The error may contain paths of the server.
  const cause = isMultiTenant(config)
    ? [translate("mail-backup-danger"), translate("mail-backup-log")]
    : [
        text,
        translate("mail-backup-danger"),
        `${translate("mail-backup-more")} skein backup verify`,
      ];
  return {
    to: toUser(user),
    language,
    subject: translate("mail-backup-failed", { name }),
    blocks: [translate("mail-backup-failed-means", { name, url: config.url }), ...cause],
    footer: [translate("mail-backup-once")],
  };
}
