// Informs users about what an administrator has changed for their account.
import { ADMINISTRATOR, GUEST, MODERATOR, OWNER } from "../../contract/roles.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import type { Translator } from "../i18n/translations.ts";
import { type Mail, mail } from "../mail/actions.ts";
import { NOT_NOTIFYING } from "../messages/rules.ts";
import { sendNoticeToPeople } from "../messages/send/notices.ts";
import { isBot } from "../rights/rules.ts";

type AdministratorActed = Extract<Mail, { about: "administrator acted" }>;
/** `role`: the new role, if the administrator changed it. */
type AdministrationAct = Pick<AdministratorActed, "act" | "role">;

const WORDS = {
  link: "administrator-made-link",
  "sign-out": "administrator-signed-out",
  "two-factor": "administrator-disabled-two-factor",
  role: "administrator-changed-role",
} as const;

const ROLE_NAMES: Readonly<Partial<Record<number, string>>> = {
  [OWNER]: "owner",
  [ADMINISTRATOR]: "administrator",
  [MODERATOR]: "moderator",
  [GUEST]: "guest",
};

/** `name`: the administrator. */
export function actText(
  { translate }: Translator,
  { act, role = 0 }: AdministrationAct,
  name: string,
) {
  return translate(WORDS[act], { name, role: ROLE_NAMES[role] ?? "member" });
}

/** Informs the user by email and direct message, so that an abuse is noticed. */
export function notifyUser(tx: Writer, actingUser: User, user: User, act: AdministrationAct): void {
  const { user_id } = user;
  if (isBot(user) || user_id === actingUser.user_id) return;
  const name = `@_**${actingUser.full_name}|${actingUser.user_id}**`;
  const words = actText(userTranslator(user), act, name);
  sendNoticeToPeople(tx, [user_id], words, { bits: NOT_NOTIFYING });
  mail(tx, {
    about: "administrator acted",
    user_id,
    by_id: actingUser.user_id,
    ...act,
    at: tx.now,
  });
}
