// Number of repetitions of random tests: few in the check, many in a long run.
interface Count {
  file: string;
  what: string;
  check: number;
  long: number;
}

export const COUNTS = {
  crashes: {
    file: "test/crash.test.ts",
    what: "SIGKILLs and stops of the server under load",
    check: 7,
    long: 560,
  },
  crowds: {
    file: "test/crash-bulk-subscribe.test.ts",
    what: "SIGKILLs with thousands of subscribers",
    check: 3,
    long: 40,
  },
  upgrade_kills: {
    file: "test/crash-upgrade.test.ts",
    what: "SIGKILLs during an upgrade, rollback, compaction and update, each",
    check: 2,
    long: 60,
  },
  store_kills: {
    file: "test/store/crash.test.ts",
    what: "SIGKILLs of a process that writes to the store",
    check: 15,
    long: 1_000,
  },
  migration_kills: {
    file: "test/formats/formats.test.ts",
    what: "SIGKILLs of a migration, each at another step",
    check: 4,
    long: 20,
  },
  transactions: {
    file: "test/store/random.test.ts",
    what: "random runs of 250 transactions, compared with a model",
    check: 5,
    long: 400,
  },
  layers: {
    file: "test/store/layers.test.ts",
    what: "random runs of 2,000 layered writes, compared with a map",
    check: 4,
    long: 300,
  },
  commits: {
    file: "test/store/journal.test.ts",
    what: "small commits, read while the journal is merged",
    check: 2_000,
    long: 100_000,
  },
  logged_commits: {
    file: "test/store/commit-log.test.ts",
    what: "commits in the log, with crashes at random moments",
    check: 3_000,
    long: 30_000,
  },
  damaged_images: {
    file: "test/store/structure.test.ts",
    what: "damaged database files, rejected, reported or read completely",
    check: 80,
    long: 8_000,
  },
  served_images: {
    file: "test/faults/images.test.ts",
    what: "damaged data.mdb files, opened by the server and the doctor",
    check: 13,
    long: 1_300,
  },
  torn_copies: {
    file: "test/faults/torn-copy.test.ts",
    what: "copies of a directory in use, refused, reported or complete",
    check: 6,
    long: 600,
  },
  flipped_bits: {
    file: "test/backup/damage.test.ts",
    what: "flipped bits per file of a backup, found",
    check: 8,
    long: 100_000,
  },
  queues: {
    file: "test/queues/random.test.ts",
    what: "random histories of event queues, 400 steps, with crashes",
    check: 40,
    long: 3_000,
  },
  actions: {
    file: "test/oracle.test.ts",
    what: "random histories of 300 actions, compared with a permission oracle",
    check: 1,
    long: 100,
  },
  groups: {
    file: "test/features/groups-random.test.ts",
    what: "random changes of groups, with clients in sync",
    check: 40,
    long: 1_000,
  },
  sight: {
    file: "test/features/visibility-random.test.ts",
    what: "random changes of visibility, with clients in sync",
    check: 4,
    long: 100,
  },
  costs: {
    file: "test/cost.test.ts",
    what: "texts that are expensive to render, rendered in linear time (at most)",
    check: 1_200,
    long: 1_000_000,
  },
  nonsense: {
    file: "test/bad-input",
    what: "invalid values per parameter of each request (at most)",
    check: 6,
    long: 100,
  },
  messages: {
    file: "test/text/markdown-fuzz.test.ts",
    what: "random messages, rendered to allowed HTML",
    check: 2_500,
    long: 400_000,
  },
  client_messages: {
    file: "test/web/message-renderer.test.ts",
    what: "random messages, rendered by the client without an exception",
    check: 3_000,
    long: 400_000,
  },
  lossy: {
    file: "test/web/lost-requests.test.ts",
    what: "browser sessions of 25 actions, with lost requests and responses",
    check: 1,
    long: 100,
  },
  mutations: {
    file: "test/web/mutations.test.ts",
    what: "random histories of a user's mutations in several tabs, compared with a model",
    check: 60,
    long: 5_000,
  },
  chaos: {
    file: "test/web/chaos.test.ts",
    what: "organizations with 30 concurrent changes, and late responses",
    check: 1,
    long: 100,
  },
  builds: {
    file: "test/reproducible-build.test.ts",
    what: "builds with another path, time zone and language, byte-identical",
    check: 0,
    long: 3,
  },
  round_trips: {
    file: "test/moving/jsonl.test.ts",
    what: "random organizations, exported and imported",
    check: 5,
    long: 200,
  },
  import_kills: {
    file: "test/moving/jsonl.test.ts",
    what: "SIGKILLs of an import, resumed after each",
    check: 2,
    long: 100,
  },
  product_kills: {
    file: "test/moving/products-resume.test.ts",
    what: "SIGKILLs of an import from each other product",
    check: 1,
    long: 20,
  },
  import_samples: {
    file: "test/moving/import-memory.test.ts",
    what: "samples of the heap during an import from each product, 500 rows apart",
    check: 6,
    long: 48,
  },
  slack_exports: {
    file: "test/moving/slack-fuzzed.test.ts",
    what: "Slack exports with random damage",
    check: 100,
    long: 10_000,
  },
  held_seconds: {
    file: "test/server/reverse-proxies.test.ts",
    what: "seconds of a silent poll behind a reverse proxy",
    check: 0,
    long: 90,
  },
  lints: {
    file: "test/packaging/debian.test.ts",
    what: "checks of the Debian package by lintian",
    check: 0,
    long: 1,
  },
  firefox: {
    file: "test/engines/firefox.test.ts",
    what: "user scenarios in Firefox",
    check: 0,
    long: 3,
  },
  webkit: {
    file: "test/engines/webkit.test.ts",
    what: "user scenarios in WebKit, Safari's engine",
    check: 0,
    long: 1,
  },
} as const satisfies Record<string, Count>;

export type CountName = keyof typeof COUNTS;

export const IS_LONG_RUN = process.env["TEST_LONG"] === "1";
/** Shows in a few minutes that each part of a long run still works. */
const AT_MOST = Number(process.env["TEST_AT_MOST"] ?? Infinity);

export function countOf(name: CountName): number {
  return Math.min(COUNTS[name][IS_LONG_RUN ? "long" : "check"], AT_MOST);
}

/** 1, 2, 3 … */
export function seedsOf(name: CountName): number[] {
  return Array.from({ length: countOf(name) }, (_, index) => index + 1);
}
