// Emails with invitations and sign-up links.
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { foldedAddress } from "../../text/email-address.ts";
import type { Draft } from "../mail/email-content.ts";
import { isDeactivated } from "../realm/access.ts";
import { isBot } from "../rights/rules.ts";
import { decryptedKey } from "../secrets/encrypted.ts";
import { visitorTranslator, userTranslator } from "../i18n/negotiate-language.ts";
import { type Translator, translatorFor, type Word } from "../i18n/translations.ts";
import { invitationOf } from "./access.ts";
import { createConfirmedUser, SIGN_UP, type SignUpTicket } from "./confirm.ts";

export function invitationEmail(realm: Realm, id: number): Draft | undefined {
  return emailOf(realm, id, "mail-invited");
}

export function reminderEmail(realm: Realm, id: number): Draft | undefined {
  return emailOf(realm, id, "mail-invitation-ends");
}

/** undefined if it was used or revoked, or has expired. */
function emailOf(realm: Realm, id: number, subject: Word): Draft | undefined {
  const { read, config } = realm;
  const invitation = read.invitations.get("email", id);
  const key = invitation && decryptedKey(realm, invitation);
  if (!invitation || key === undefined || isDeactivated(read)) return undefined;
  if (!invitationOf(read, invitation.hash)) return undefined;
  const { name } = read.settings;
  const inviter = read.users.get(invitation.invited_by_user_id)!;
  const translator = visitorTranslator(read);
  const { language, say } = translator;
  return {
    to: { name: "", address: invitation.email! },
    from_name: `${inviter.full_name} (${name})`,
    language,
    subject: say(subject, { name }),
    blocks: [
      say("mail-invites-you", { who: inviter.full_name, name, url: config.url }),
      { label: say("join-name", { name }), url: `${config.url}/join/${key}/` },
      untilWhen(translator, invitation),
    ],
    footer: [say("mail-not-known")],
  };
}

/** For a sign-up request: contains the link, or says that there already is an account. */
export function signUpEmail(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== SIGN_UP || ticket.expires <= read.now) return undefined;
  const { email, sealed, language: requested } = ticket.payload as SignUpTicket;
  const key = decryptedKey(realm, { hash, sealed });
  const known = read.users.one("email", foldedAddress(email));
  if (key === undefined || !createConfirmedUser(read, ticket) || (known && isBot(known)))
    return undefined;
  const { name } = read.settings;
  const { language, say } = known
    ? userTranslator(known)
    : (translatorFor(requested ?? "") ?? visitorTranslator(read));
  const footer = [say("mail-not-asked")];
  const to = { name: "", address: email };
  if (known) {
    const state = say(known.is_active ? "mail-has-account" : "mail-has-closed-account", { name });
    const blocks = [
      `${say("mail-wants-to-join", { name, url: config.url })} ${state}`,
      { label: say("sign-in-to", { name }), url: `${config.url}/login/` },
    ];
    return { to, language, subject: say("mail-you-have-account", { name }), blocks, footer };
  }
  const blocks = [
    say("mail-wants-to-join", { name, url: config.url }),
    { label: say("join-name", { name }), url: `${config.url}/accounts/do_confirm/${key}/` },
    say("mail-link-for-a-day"),
  ];
  return { to, language, subject: say("mail-confirm-to-join", { name }), blocks, footer };
}

function untilWhen(translator: Translator, { expiry_date }: Invitation): string {
  if (expiry_date === null) return translator.say("mail-link-once");
  return translator.say("mail-link-until", { day: translator.day(expiry_date) });
}
