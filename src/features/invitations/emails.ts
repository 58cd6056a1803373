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
  const { language, translate } = translator;
  return {
    to: { name: "", address: invitation.email! },
    from_name: `${inviter.full_name} (${name})`,
    language,
    subject: translate(subject, { name }),
    blocks: [
      translate("mail-invites-you", { who: inviter.full_name, name, url: config.url }),
      { label: translate("join-name", { name }), url: `${config.url}/join/${key}/` },
      untilWhen(translator, invitation),
    ],
    footer: [translate("mail-not-known")],
  };
}

/**
 * The email about a sign-up request: contains the link, or says that there already is an account.
 */
export function signUpEmail(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== SIGN_UP || ticket.expires <= read.now) return undefined;
  const { email, sealed, language: requested } = ticket.payload as SignUpTicket;
  const key = decryptedKey(realm, { hash, sealed });
  const account = read.users.findBy("email", foldedAddress(email));
  if (key === undefined || !createConfirmedUser(read, ticket) || (account && isBot(account)))
    return undefined;
  const { name } = read.settings;
  const { language, translate } = account
    ? userTranslator(account)
    : (translatorFor(requested ?? "") ?? visitorTranslator(read));
  const footer = [translate("mail-not-asked")];
  const to = { name: "", address: email };
  if (account) {
    const state = translate(account.is_active ? "mail-has-account" : "mail-has-closed-account", {
      name,
    });
    const blocks = [
      `${translate("mail-wants-to-join", { name, url: config.url })} ${state}`,
      { label: translate("sign-in-to", { name }), url: `${config.url}/login/` },
    ];
    return { to, language, subject: translate("mail-you-have-account", { name }), blocks, footer };
  }
  const blocks = [
    translate("mail-wants-to-join", { name, url: config.url }),
    { label: translate("join-name", { name }), url: `${config.url}/accounts/do_confirm/${key}/` },
    translate("mail-link-for-a-day"),
  ];
  return { to, language, subject: translate("mail-confirm-to-join", { name }), blocks, footer };
}

function untilWhen(translator: Translator, { expiry_date }: Invitation): string {
  if (expiry_date === null) return translator.translate("mail-link-once");
  return translator.translate("mail-link-until", { day: translator.day(expiry_date) });
}
