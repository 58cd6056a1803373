// Measurements of organizations: active users, waiting jobs, the last backup.
import { outcomes } from "../../outbound/outcomes.ts";
import type { Realm } from "../../realm.ts";
import {
  counter,
  type Family,
  gauge,
  Histogram,
  labelled,
  REQUEST_BUCKETS,
  SIZE_BUCKETS,
  Tally,
} from "../../server/insight/families.ts";
import { actCounts } from "../audit/record.ts";
import { backupState } from "../backup/state.ts";

const ROLES: Readonly<Record<number, string>> = {
  100: "owner",
  200: "administrator",
  300: "moderator",
  400: "member",
  600: "guest",
};
const DAY_SECONDS = 86_400;
const WINDOWS = { "1d": 1, "7d": 7, "30d": 30 };
/** Counting stops here, so that a scrape stays cheap. */
const JOBS_MAX = 10_000;
/** Active users are counted rarely, since that reads all users. */
const ACTIVE_MS = 300_000;

export class Samples {
  /** Failures by what failed: a job, a periodic task, a request to another server. */
  readonly failures = new Tally();
  /** Security events, such as failed sign-ins. */
  readonly notes = new Tally();
  private readonly commits = new Histogram(REQUEST_BUCKETS);
  private readonly batches = new Histogram(SIZE_BUCKETS);
  private commitFailures = 0;
  private active: { at: number; counts: [string, number][] } | undefined;

  /** Starts counting commits of this realm. */
  watch(realm: Realm): void {
    realm.onMade = (ms, writes, isCreated) => {
      this.commits.observe(ms / 1_000);
      this.batches.observe(writes);
      if (!isCreated) this.commitFailures += 1;
    };
  }

  families(realms: readonly Realm[]): Family[] {
    return [
      ...this.ofStores(realms),
      ...ofQueues(realms),
      ...ofJobs(realms),
      ...familiesOfOthers(),
      ...ofBackups(realms),
      ...this.ofPeople(realms),
      labelled(
        "counter",
        "skein_failures_total",
        "Background jobs that failed.",
        "what",
        this.failures,
      ),
      labelled(
        "counter",
        "skein_warnings_total",
        "Security warnings, such as failed sign-ins.",
        "what",
        this.notes,
      ),
      labelled(
        "counter",
        "skein_audit_entries_total",
        "Entries of the audit log.",
        "action",
        actCounts,
      ),
    ];
  }

  private ofStores(realms: readonly Realm[]): Family[] {
    const all = realms.map((realm) => realm.measure());
    const refusedCount = realms.filter(({ refusal }) => refusal !== undefined).length;
    return [
      this.commits.family("skein_commit_duration_seconds", "Duration of commits to the disk."),
      this.batches.family("skein_commit_batch_size", "Writes in one commit."),
      counter(
        "skein_commit_failures_total",
        "Commits that the disk rejected.",
        this.commitFailures,
      ),
      gauge(
        "skein_write_queue_depth",
        "Writes that wait for a commit.",
        sum(all.map((item) => item.waiting)),
      ),
      gauge("skein_write_refused", "Organizations that accept no writes.", refusedCount),
      gauge(
        "skein_db_size_bytes",
        "Size of the databases.",
        sum(all.map((item) => item.size_bytes)),
      ),
      gauge(
        "skein_db_free_bytes",
        "Unused space in the databases.",
        sum(all.map((item) => item.free_bytes)),
      ),
      gauge(
        "skein_db_readers",
        "Open database snapshots of readers.",
        sum(all.map((item) => item.readers)),
      ),
      gauge("skein_files_bytes", "Size of uploaded files.", sum(realms.map(bytesOfFiles))),
    ];
  }

  private ofPeople(realms: readonly Realm[]): Family[] {
    const roles = new Map<string, number>();
    for (const { read } of realms) {
      for (const { role, is_active, bot_type } of read.users.range()) {
        const name = bot_type === null ? (ROLES[role] ?? "member") : "bot";
        if (is_active) roles.set(name, (roles.get(name) ?? 0) + 1);
      }
    }
    const now = realms[0]?.clock.now() ?? 0;
    if (!this.active || now - this.active.at > ACTIVE_MS) {
      this.active = { at: now, counts: activeIn(realms) };
    }
    return [
      labelled("gauge", "skein_people", "Accounts, by role.", "role", roles),
      labelled(
        "gauge",
        "skein_people_active",
        "Users who were active.",
        "window",
        this.active.counts,
      ),
    ];
  }
}

function activeIn(realms: readonly Realm[]): [string, number][] {
  const counts = Object.keys(WINDOWS).map((window): [string, number] => [window, 0]);
  for (const { read } of realms) {
    for (const { active_timestamp } of read.presences.sound(() => {})) {
      Object.values(WINDOWS).forEach((days, index) => {
        if (active_timestamp > read.now - days * DAY_SECONDS) counts[index]![1] += 1;
      });
    }
  }
  return counts;
}

function ofQueues(realms: readonly Realm[]): Family[] {
  const counts = realms.map(({ hub }) => hub.counts);
  const sentByKind = new Map<string, number>();
  for (const { hub } of realms) {
    for (const [type, count] of hub.eventCounts)
      sentByKind.set(type, (sentByKind.get(type) ?? 0) + count);
  }
  return [
    gauge("skein_queues", "Event queues.", sum(counts.map((count) => count.queues))),
    gauge(
      "skein_queue_polls_held",
      "Polls that wait for events.",
      sum(counts.map((count) => count.parked)),
    ),
    gauge(
      "skein_queue_events_pending",
      "Events not yet acknowledged.",
      sum(counts.map((count) => count.pending)),
    ),
    counter(
      "skein_queue_overflows_total",
      "Event queues closed because they were full.",
      sum(realms.map(({ hub }) => hub.overflows)),
    ),
    counter("skein_messages_sent_total", "Messages sent.", sentByKind.get("message") ?? 0),
    labelled("counter", "skein_events_total", "Events sent, by type.", "type", sentByKind),
  ];
}

function ofJobs(realms: readonly Realm[]): Family[] {
  const kinds = new Map<string, number>();
  let [oldest, counted] = [Infinity, 0];
  for (const { read } of realms) {
    for (const { kind, at: dueAt } of read.due.sound(() => {}, { limit: JOBS_MAX })) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      oldest = Math.min(oldest, dueAt);
      if (++counted >= JOBS_MAX) break;
    }
  }
  const age = Math.max(0, (realms[0]?.clock.now() ?? 0) - oldest) / 1_000;
  return [
    labelled("gauge", "skein_due_jobs", "Background jobs in the queue.", "kind", kinds),
    gauge("skein_due_oldest_age_seconds", "Time for which the oldest job has been due.", age),
  ];
}

function familiesOfOthers(): Family[] {
  const values = outcomes().map(({ count: value, ...labels }) => ({ value, labels }));
  const help = "Requests to other servers, by purpose and result.";
  return [{ name: "skein_outbound_total", help, type: "counter", values }];
}

/** With several organizations, the metrics report the worst value. */
function ofBackups(realms: readonly Realm[]): Family[] {
  const states = realms.filter(({ config }) => config.backup).map(backupState);
  if (states.length === 0) return [];
  const last = Math.min(...states.map(({ made: created }) => (created?.at ?? 0) / 1_000));
  const isGood = states.every(({ drill }) => drill?.is_good !== false);
  const failed = states.some((state) => state.failed !== undefined);
  return [
    gauge(
      "skein_backup_last_success_timestamp_seconds",
      "Time of the last successful backup.",
      last,
    ),
    gauge("skein_backup_failed", "Whether the newest backup failed.", Number(failed)),
    gauge(
      "skein_backup_restore_test_ok",
      "Whether the newest backup could be restored.",
      Number(isGood),
    ),
  ];
}

const bytesOfFiles = ({ read }: Realm) =>
  sum([...read.upload_space.range()].map((row) => row.bytes));
const sum = (numbers: readonly number[]) => numbers.reduce((number, other) => number + other, 0);
