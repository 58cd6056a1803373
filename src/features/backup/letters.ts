// The letter to an owner when a backup, or its drill, fails.
import { OWNER } from "../../contract/roles.ts";
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account.ts";
import type { Mail } from "../mail/actions.ts";
import type { Draft } from "../mail/letter.ts";
import { isOneOfSeveral } from "../realm/several.ts";
import { speechTo } from "../speech/choose.ts";

export function backupFailedLetter(
  { read, config }: Realm,
  { user_id, words }: Extract<Mail, { about: "backup failed" }>,
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user?.is_active || user.role !== OWNER) return undefined;
  const { name } = read.settings;
  const { language, say } = speechTo(user);
  // The error may contain paths of the server.
  const why = isOneOfSeveral(config)
    ? [say("mail-backup-danger"), say("mail-backup-log")]
    : [words, say("mail-backup-danger"), `${say("mail-backup-more")} skein backup verify`];
  return {
    to: toUser(user),
    language,
    subject: say("mail-backup-failed", { name }),
    blocks: [say("mail-backup-failed-means", { name, url: config.url }), ...why],
    footer: [say("mail-backup-once")],
  };
}
