// Writes letters when their time has come, and hands them to the mail server.
import { HOUR_MS } from "../../contract/units.ts";
import { type Letter, MailFailed, postLetter } from "../../outbound/mail.ts";
import type { Realm } from "../../realm.ts";
import { GivenUp, type Retries } from "../../runner/runner.ts";
import type { DueJob } from "../../schema/records.ts";
import { addressAskedLetter, addressChangedLetter, newAddressLetter } from "../accounts/letters.ts";
import { backupFailedLetter } from "../backup/letters.ts";
import { invitationLetter, reminderLetter, signUpLetter } from "../invitations/letters.ts";
import {
  accountClosedLetter,
  accountFoundLetter,
  organizationClosedLetter,
  welcomeLetter,
} from "../mail/account.ts";
import type { Mail } from "../mail/actions.ts";
import { type Draft, htmlOf, textOf } from "../mail/letter.ts";
import { resetLetter } from "../passwords/letters.ts";
import { hostOf } from "../people/wire.ts";
import { missedLetter } from "./missed.ts";
import { signInLetter } from "./sign-ins.ts";

/** Three days, after which what a letter says is old. */
export const MAIL_RETRIES: Retries = {
  attempts_max: 26,
  first_ms: 60_000,
  last_ms: 4 * HOUR_MS,
};
export const LETTERS_AT_ONCE = 3;

/** Sends one email per job. A second attempt has the same Message-ID. */
export async function deliver(realm: Realm, { job_id, payload }: DueJob): Promise<void> {
  const { mail: config } = realm.config;
  if (!config) throw new Error("a letter waits, and no mail server is named: see --smtp-url");
  const draft = draftOf(realm, payload as Mail);
  if (!draft) return;
  try {
    await postLetter(config, letterOf(realm, job_id, draft));
  } catch (error) {
    if (!(error instanceof MailFailed) || !error.isFinal) throw error;
    throw new GivenUp(`a letter was dropped: ${error.message}`);
  }
}

/** undefined: what it would say holds no more. */
function draftOf(realm: Realm, what: Mail): Draft | undefined {
  switch (what.about) {
    case "invitation":
      return invitationLetter(realm, what.id);
    case "invitation reminder":
      return reminderLetter(realm, what.id);
    case "password reset":
      return resetLetter(realm, what.hash);
    case "new address":
      return newAddressLetter(realm, what.hash);
    case "address asked":
      return addressAskedLetter(realm, what.hash);
    case "sign-up":
      return signUpLetter(realm, what.hash);
    case "address changed":
      return addressChangedLetter(realm, what.user_id, what.former);
    case "welcome":
      return welcomeLetter(realm, what.user_id);
    case "sign-in":
      return signInLetter(realm, what);
    case "account closed":
      return accountClosedLetter(realm, what);
    case "organization closed":
      return organizationClosedLetter(realm, what.user_id, what.by_id);
    case "account found":
      return accountFoundLetter(realm, what.email);
    case "backup failed":
      return backupFailedLetter(realm, what);
    case "missed messages":
      return missedLetter(realm, what.user_id, what.message_ids);
  }
}

function letterOf({ read, clock, config }: Realm, job_id: number, draft: Draft): Letter {
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
