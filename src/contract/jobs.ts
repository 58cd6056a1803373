// Kinds of jobs, and periodic tasks.
import { backUpNightly } from "../features/backup/nightly-jobs.ts";
import { purgeSnapshots } from "../features/backup/snapshots-jobs.ts";
import { BULK_SUBSCRIBE } from "../features/channels/subscriptions/bulk-parts.ts";
import { resumeBulkSubscribe } from "../features/channels/subscriptions/bulk-subscribe.ts";
import { DISCARD, DISCARDS_AT_ONCE, discard } from "../features/files/discard.ts";
import { purgeFiles } from "../features/files/purge.ts";
import { admitFullMember } from "../features/groups/jobs.ts";
import { FULL_MEMBERSHIP } from "../features/groups/full-members.ts";
import { purgeInvitations } from "../features/invitations/revoke.ts";
import { END_QUEUES } from "../features/keys/actions.ts";
import { deliverEmail, EMAILS_AT_ONCE, MAIL_RETRIES } from "../features/email-delivery/jobs.ts";
import { MAIL } from "../features/mail/actions.ts";
import { purgeArchive } from "../features/messages/delete/archive.ts";
import { purgeSends } from "../features/messages/delete/purge.ts";
import { expireMessages } from "../features/messages/delete/retention.ts";
import {
  DELETE_SENT,
  DELETIONS_AT_ONCE,
  deleteSent,
} from "../features/messages/delete/by-sender.ts";
import {
  fetchPreviews,
  PREVIEWS_AT_ONCE,
  purgePages,
} from "../features/messages/edit/previews-jobs.ts";
import { RESUME_MOVE, resumeMove } from "../features/messages/move/move.ts";
import { WRITE_EXPORT } from "../features/moving/realm-export/actions.ts";
import { WRITE_PERSON_EXPORT } from "../features/moving/person/actions.ts";
import {
  PERSON_EXPORTS_AT_ONCE,
  purgePersonExports,
  writePersonExport,
} from "../features/moving/person/jobs.ts";
import {
  EXPORTS_AT_ONCE,
  purgeExports,
  writeExport,
} from "../features/moving/realm-export/jobs.ts";
import { purgeImportUpload } from "../features/moving/uploaded/jobs.ts";
import { FETCH_FILE } from "../features/moving/import/linked-files.ts";
import {
  FETCH_RETRIES,
  fetchFile,
  FILES_AT_ONCE,
} from "../features/moving/import/linked-files-jobs.ts";
import { ENQUEUE_EDITED, enqueueMissed, finishEdited } from "../features/notifications/enqueue.ts";
import {
  SEND_MISSED,
  sendMissedMessages,
  SENDS_AT_ONCE,
} from "../features/notifications/email-delay.ts";
import {
  ENQUEUE_PUSHES,
  PUSH_JOBS_AT_ONCE,
  enqueuePushStep,
} from "../features/notifications/enqueue-push.ts";
import { DELETE_ORGANIZATION } from "../features/organization/deactivate.ts";
import { deleteOrganization, DELETION_RETRIES } from "../features/organization/jobs.ts";
import { SEND_RESET, sendReset } from "../features/passwords/reset.ts";
import { checkpointPresence } from "../features/presence/actions.ts";
import { FETCH_PREVIEWS } from "../features/previews/actions.ts";
import { push } from "../features/push/jobs.ts";
import { PUSHES_AT_ONCE } from "../features/push/queue/rules.ts";
import { PUSH } from "../features/push/queue/queue.ts";
import { checkpointQueues, trimLog } from "../features/register/checkpoint.ts";
import { REMIND } from "../features/reminders/actions.ts";
import { sendReminder } from "../features/reminders/jobs.ts";
import { SEND_SCHEDULED } from "../features/scheduled/actions.ts";
import { sendScheduled } from "../features/scheduled/jobs.ts";
import { gcIndex, mergeIndex } from "../features/search/jobs.ts";
import { purgeTickets } from "../features/secrets/one-time-links.ts";
import { endQueues, purgeSessions } from "../features/sessions/jobs.ts";
import { END_STATUS } from "../features/status/actions.ts";
import { endStatus } from "../features/status/jobs.ts";
import { CALL_WEBHOOK } from "../features/webhooks/actions.ts";
import { callWebhook } from "../features/webhooks/calls/jobs.ts";
import { CALLS_AT_ONCE } from "../features/webhooks/rules.ts";
import type { DueKinds, Round } from "../runner/runner.ts";
import { HOUR_MS } from "./units.ts";

/** Handlers of due jobs, by kind. */
export const dueKinds: DueKinds = {
  [DELETE_ORGANIZATION]: { run: deleteOrganization, retries: DELETION_RETRIES },
  [DELETE_SENT]: { run: deleteSent, at_once: DELETIONS_AT_ONCE },
  [DISCARD]: { run: discard, at_once: DISCARDS_AT_ONCE },
  [END_QUEUES]: { run: endQueues },
  [BULK_SUBSCRIBE]: { run: resumeBulkSubscribe },
  [FETCH_FILE]: { run: fetchFile, at_once: FILES_AT_ONCE, retries: FETCH_RETRIES },
  [FETCH_PREVIEWS]: { run: fetchPreviews, at_once: PREVIEWS_AT_ONCE },
  [RESUME_MOVE]: { run: resumeMove },
  [REMIND]: { run: sendReminder },
  [SEND_SCHEDULED]: { run: sendScheduled },
  [END_STATUS]: { run: endStatus },
  [FULL_MEMBERSHIP]: { run: admitFullMember },
  [SEND_RESET]: { run: sendReset },
  [ENQUEUE_EDITED]: { run: finishEdited },
  [SEND_MISSED]: { run: sendMissedMessages, at_once: SENDS_AT_ONCE },
  [MAIL]: { run: deliverEmail, at_once: EMAILS_AT_ONCE, retries: MAIL_RETRIES },
  [ENQUEUE_PUSHES]: { run: enqueuePushStep, at_once: PUSH_JOBS_AT_ONCE },
  [PUSH]: { run: push, at_once: PUSHES_AT_ONCE },
  [WRITE_EXPORT]: { run: writeExport, at_once: EXPORTS_AT_ONCE },
  [WRITE_PERSON_EXPORT]: { run: writePersonExport, at_once: PERSON_EXPORTS_AT_ONCE },
  [CALL_WEBHOOK]: { run: callWebhook, at_once: CALLS_AT_ONCE },
};

export const rounds: readonly Round[] = [
  { name: "back up", every_ms: 60_000, run: backUpNightly },
  { name: "notice missed messages", every_ms: 1_000, run: enqueueMissed },
  { name: "checkpoint queues", every_ms: 3_000, run: checkpointQueues, keeps: true },
  { name: "fold the search index", every_ms: 1_000, run: mergeIndex },
  { name: "sweep the search index", every_ms: 60_000, run: gcIndex },
  { name: "trim the log", every_ms: 60_000, run: trimLog },
  { name: "checkpoint presence", every_ms: 60_000, run: checkpointPresence, keeps: true },
  { name: "expire messages", every_ms: 600_000, run: expireMessages },
  { name: "purge the archive", every_ms: 600_000, run: purgeArchive },
  { name: "purge files", every_ms: HOUR_MS, run: purgeFiles },
  { name: "purge sends", every_ms: 600_000, run: purgeSends },
  { name: "purge linked pages", every_ms: 600_000, run: purgePages },
  { name: "purge sessions", every_ms: 600_000, run: purgeSessions },
  { name: "purge snapshots", every_ms: HOUR_MS, run: purgeSnapshots },
  { name: "purge one-time links", every_ms: HOUR_MS, run: purgeTickets },
  { name: "purge invitations", every_ms: HOUR_MS, run: purgeInvitations },
  { name: "purge exports", every_ms: HOUR_MS, run: purgeExports },
  { name: "purge exports of users", every_ms: HOUR_MS, run: purgePersonExports },
  { name: "purge uploaded archives", every_ms: HOUR_MS, run: purgeImportUpload },
];
