// What happens by itself: kinds of due work, and what is done at intervals.
import { checkpointPresence } from "./features/presence/actions.ts";
import { checkpointQueues, trimLog } from "./features/events/checkpoint.ts";
import { admitFullMember } from "./features/groups/later.ts";
import { FULL_MEMBERSHIP } from "./features/groups/waiting.ts";
import { purgeFiles } from "./features/files/purge.ts";
import { purgeArchive } from "./features/messages/archive.ts";
import { expireMessages } from "./features/messages/retention.ts";
import { purgeSends } from "./features/messages/purge.ts";
import { RESUME_MOVE, resumeMove } from "./features/messages/move.ts";
import { FETCH_PREVIEWS } from "./features/previews/actions.ts";
import { fetchPreviews, purgePages } from "./features/previews/later.ts";
import { REMIND } from "./features/reminders/actions.ts";
import { remind } from "./features/reminders/later.ts";
import { SEND_SCHEDULED } from "./features/scheduled/actions.ts";
import { sendScheduled } from "./features/scheduled/later.ts";
import { purgeInvitations } from "./features/invitations/ending.ts";
import type { DueKinds, Round } from "./runner/runner.ts";

/** By kind, what to do when a job's time has come. */
export const dueKinds: DueKinds = {
  [FETCH_PREVIEWS]: { aside: fetchPreviews },
  [RESUME_MOVE]: resumeMove,
  [REMIND]: remind,
  [SEND_SCHEDULED]: sendScheduled,
  [FULL_MEMBERSHIP]: admitFullMember,
};

export const rounds: readonly Round[] = [
  { name: "checkpoint queues", every_ms: 3_000, run: checkpointQueues },
  { name: "trim the log", every_ms: 60_000, run: trimLog },
  { name: "checkpoint presence", every_ms: 60_000, run: checkpointPresence },
  { name: "expire messages", every_ms: 600_000, run: expireMessages },
  { name: "purge the archive", every_ms: 600_000, run: purgeArchive },
  { name: "purge files", every_ms: 3_600_000, run: purgeFiles },
  { name: "purge sends", every_ms: 600_000, run: purgeSends },
  { name: "purge linked pages", every_ms: 600_000, run: purgePages },
  { name: "purge invitations", every_ms: 3_600_000, run: purgeInvitations },
];
