// Renders emails when they are due, and passes them to the mail server.
import { HOUR_MS } from "../../contract/units.ts";
import { type OutgoingEmail, MailFailed, sendEmail } from "../../outbound/mail.ts";
import type { Realm } from "../../realm.ts";
import { JobFailed, type Retries } from "../../runner/runner.ts";
import type { DueJob } from "../../schema/records.ts";
import { administratorActedEmail } from "../accounts/administration/emails.ts";
import {
  addressRequestedEmail,
  addressChangedEmail,
  newAddressEmail,
} from "../accounts/address-emails.ts";
import { backupFailedEmail } from "../backup/emails.ts";
import { invitationEmail, reminderEmail, signUpEmail } from "../invitations/emails.ts";
import {
  accountDeactivatedEmail,
  accountFoundEmail,
  organizationDeactivatedEmail,
  welcomeEmail,
} from "../mail/account-emails.ts";
import type { Mail } from "../mail/actions.ts";
import { type Draft, htmlOf, textOf } from "../mail/email-content.ts";
import { passwordResetEmail } from "../passwords/emails.ts";
import { hostOf } from "../people/wire.ts";
import { missedMessagesEmail } from "./missed-messages.ts";
import { signInEmail } from "./new-sign-ins.ts";

/** Three days; after that, the content of an email is outdated. */
export const MAIL_RETRIES: Retries = {
  attempts_max: 26,
  first_ms: 60_000,
  last_ms: 4 * HOUR_MS,
};
export const EMAILS_AT_ONCE = 3;

/** Sends one email per job. A second attempt has the same Message-ID. */
export async function deliverEmail(realm: Realm, { job_id, payload }: DueJob): Promise<void> {
  const { mail: config } = realm.config;
  if (!config) throw new Error("an email waits, but no mail server is configured: see --smtp-url");
  const draft = draftOf(realm, payload as Mail);
  if (!draft) return;
  try {
    await sendEmail(config, emailOf(realm, job_id, draft));
  } catch (error) {
    if (!(error instanceof MailFailed) || !error.isFinal) throw error;
    throw new JobFailed(`an email was dropped: ${error.message}`);
  }
}

/** undefined if the email is no longer relevant. */
function draftOf(realm: Realm, content: Mail): Draft | undefined {
  switch (content.about) {
    case "invitation":
      return invitationEmail(realm, content.id);
    case "invitation reminder":
      return reminderEmail(realm, content.id);
    case "password reset":
      return passwordResetEmail(realm, content.hash);
    case "new address":
      return newAddressEmail(realm, content.hash);
    case "address asked":
      return addressRequestedEmail(realm, content.hash);
    case "sign-up":
      return signUpEmail(realm, content.hash);
    case "address changed":
      return addressChangedEmail(realm, content.user_id, content.former);
    case "welcome":
      return welcomeEmail(realm, content.user_id);
    case "sign-in":
      return signInEmail(realm, content);
    case "administrator acted":
      return administratorActedEmail(realm, content);
    case "account closed":
      return accountDeactivatedEmail(realm, content);
    case "organization closed":
      return organizationDeactivatedEmail(realm, content.user_id, content.by_id);
    case "account found":
      return accountFoundEmail(realm, content.email);
    case "backup failed":
      return backupFailedEmail(realm, content);
    case "missed messages":
      return missedMessagesEmail(realm, content.user_id, content.message_ids);
  }
}

function emailOf({ read, clock, config }: Realm, job_id: number, draft: Draft): OutgoingEmail {
  const { to, from_name, subject, headers } = draft;
  const { realm_uuid } = read.realm.get(1)!;
  return {
    message_id: `<${job_id}.${realm_uuid}@${hostOf(config.url)}>`,
    to,
    from_name,
    subject,
    text: textOf(draft),
    html: htmlOf(draft),
    // Tells mail programs not to send automatic replies.
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...headers },
    date: new Date(clock.now()),
  };
}
