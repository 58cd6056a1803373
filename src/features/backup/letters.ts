// The letter to an owner when a backup, or its drill, fails.
import { OWNER } from "../../contract/roles.ts";
import type { Realm } from "../../realm.ts";
import { toUser } from "../mail/account.ts";
import type { Mail } from "../mail/actions.ts";
import type { Draft } from "../mail/letter.ts";

export function backupFailedLetter(
  { read, config }: Realm,
  { user_id, words }: Extract<Mail, { about: "backup failed" }>,
): Draft | undefined {
  const user = read.users.get(user_id);
  if (!user?.is_active || user.role !== OWNER) return undefined;
  const { name } = read.settings;
  return {
    to: toUser(user),
    subject: `The backup of ${name} failed`,
    blocks: [
      `The nightly backup of ${name} (${config.url}) did not go as it should:`,
      words,
      "What people write is safe where it is. But if that is lost now, what is new is lost too.",
      "Who runs the server sees more with: skein backup verify",
    ],
    footer: ["This letter comes once, and again only after a good backup."],
  };
}
