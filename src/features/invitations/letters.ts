// The letters that bring invitations to whom they are for.
import type { Realm } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import { foldedAddress } from "../../text/email-address.ts";
import type { Draft } from "../mail/letter.ts";
import { isClosed } from "../realm/access.ts";
import { isBot } from "../rights/rules.ts";
import { unsealed } from "../secrets/sealed.ts";
import { speechHere, speechTo } from "../speech/choose.ts";
import { type Speech, speechIn, type Word } from "../speech/speech.ts";
import { invitationOf } from "./access.ts";
import { admitted, SIGN_UP, type SignUpTicket } from "./confirm.ts";

export function invitationLetter(realm: Realm, id: number): Draft | undefined {
  return letterOf(realm, id, "mail-invited");
}

export function reminderLetter(realm: Realm, id: number): Draft | undefined {
  return letterOf(realm, id, "mail-invitation-ends");
}

/** undefined: it was used or taken back, or has expired. */
function letterOf(realm: Realm, id: number, subject: Word): Draft | undefined {
  const { read, config } = realm;
  const invitation = read.invitations.get("email", id);
  const key = invitation && unsealed(realm, invitation);
  if (!invitation || key === undefined || isClosed(read)) return undefined;
  if (!invitationOf(read, invitation.hash)) return undefined;
  const { name } = read.settings;
  const inviter = read.users.get(invitation.invited_by_user_id)!;
  const speech = speechHere(read);
  const { language, say } = speech;
  return {
    to: { name: "", address: invitation.email! },
    from_name: `${inviter.full_name} (${name})`,
    language,
    subject: say(subject, { name }),
    blocks: [
      say("mail-invites-you", { who: inviter.full_name, name, url: config.url }),
      { label: say("join-name", { name }), url: `${config.url}/join/${key}/` },
      untilWhen(speech, invitation),
    ],
    footer: [say("mail-not-known")],
  };
}

/** To who wants an account: the link, or that there is one. */
export function signUpLetter(realm: Realm, hash: string): Draft | undefined {
  const { read, config } = realm;
  const ticket = read.tickets.get(hash);
  if (ticket?.kind !== SIGN_UP || ticket.expires <= read.now) return undefined;
  const { email, sealed, language: asked } = ticket.payload as SignUpTicket;
  const key = unsealed(realm, { hash, sealed });
  const known = read.users.one("email", foldedAddress(email));
  if (key === undefined || !admitted(read, ticket) || (known && isBot(known))) return undefined;
  const { name } = read.settings;
  const { language, say } = known ? speechTo(known) : (speechIn(asked ?? "") ?? speechHere(read));
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

function untilWhen(speech: Speech, { expiry_date }: Invitation): string {
  if (expiry_date === null) return speech.say("mail-link-once");
  return speech.say("mail-link-until", { day: speech.day(expiry_date) });
}
