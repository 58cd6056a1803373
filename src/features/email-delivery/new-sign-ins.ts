// Notifies users by email of sign-ins to their accounts, so that they notice unauthorized ones.
import { DAY_SECONDS } from "../../contract/units.ts";
import { perRealm, type Realm, type Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { Limiter } from "../../server/limit.ts";
import { toUser } from "../mail/account-emails.ts";
import { mail, type Mail } from "../mail/actions.ts";
import type { Draft } from "../mail/email-content.ts";
import { isDeactivated } from "../realm/access.ts";
import { isBot } from "../rights/rules.ts";
import { userSetting } from "../settings/rules.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import type { Translator } from "../i18n/translations.ts";
import { unsubscribeHeaders, unsubscribing } from "./unsubscribe.ts";

/** People who have just created the account are not notified about their first sign-in. */
const NEW_ACCOUNT_SECONDS = 60;
/** Prevents a script that signs in repeatedly from filling a mailbox. */
export const SIGN_IN_EMAILS = { calls: 10, seconds: DAY_SECONDS };

const notificationLimits = perRealm((realm) => new Limiter(realm.clock, SIGN_IN_EMAILS));

interface SignIn {
  /** The program, or the browser as it identifies itself. */
  client: string;
  /** The client's IP address. */
  address: string;
}

/** Must be called in the transaction of every sign-in. */
export function notifyOfSignIn(realm: Realm, tx: Writer, user: User, signIn: SignIn): void {
  if (!tx.config.mail || isBot(user) || !userSetting(user, "enable_login_emails")) return;
  if (tx.now - user.date_joined < NEW_ACCOUNT_SECONDS) return;
  const { allowed, remaining } = notificationLimits(realm).take(user.user_id);
  if (!allowed) return;
  const { user_id } = user;
  mail(tx, { about: "sign-in", user_id, ...signIn, at: tx.now, is_last: remaining === 0 });
}

export function signInEmail(
  realm: Realm,
  { user_id, client, address, at: time, is_last }: Extract<Mail, { about: "sign-in" }>,
): Draft | undefined {
  const { read, config } = realm;
  const user = read.users.get(user_id);
  if (!user?.is_active || isDeactivated(read)) return undefined;
  if (!userSetting(user, "enable_login_emails")) return undefined;
  const { name } = read.settings;
  const translator = userTranslator(user);
  const { language, translate } = translator;
  const when = translator.formatTime(time, userSetting(user, "timezone") || "UTC");
  const lines = [
    translate("mail-no-more-sign-ins", { calls: SIGN_IN_EMAILS.calls }),
    { label: translate("your-account"), url: `${config.url}/account/` },
  ];
  return {
    to: toUser(user),
    language,
    subject: translate("mail-new-sign-in", { name }),
    blocks: [
      translate("mail-signed-in", { email: user.delivery_email, name }),
      translate("mail-signed-in-how", { when, client, address }),
      translate("mail-if-not-you"),
      { label: translate("mail-reset-password"), url: `${config.url}/accounts/password/reset/` },
      ...(is_last ? lines : []),
    ],
    footer: [unsubscribing(realm, user, "login")],
    headers: unsubscribeHeaders(realm, user, "login"),
  };
}

/**
 * Browsers in the order of matching, since those with one of the first names also contain later
 * ones.
 */
const BROWSERS = {
  Edg: "Edge",
  OPR: "Opera",
  Firefox: "Firefox",
  Chrome: "Chrome",
  Safari: "Safari",
};
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux"];
const UNKNOWN_LENGTH_MAX = 40;

/** A description such as "Firefox on Linux" from the user agent. */
export function browserOf(user_agent: string, { translate }: Translator): string {
  const browser = Object.entries(BROWSERS).find(([mark]) => user_agent.includes(`${mark}/`))?.[1];
  const system = SYSTEMS.find((name) => user_agent.includes(name));
  if (!browser) return user_agent.slice(0, UNKNOWN_LENGTH_MAX) || translate("unknown-program");
  return system ? translate("browser-on", { browser, system }) : browser;
}
