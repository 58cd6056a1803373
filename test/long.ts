// How many there are of what could go on for ever: few in the check, many in a long run.
export interface Count {
  file: string;
  what: string;
  check: number;
  long: number;
}

export const COUNTS = {
  crashes: {
    file: "test/crash.test.ts",
    what: "kills, stops and kills on the way, of the executable under load",
    check: 14,
    long: 560,
  },
  crowds: {
    file: "test/crash-bulk-subscribe.test.ts",
    what: "kills while a crowd of thousands is subscribed",
    check: 4,
    long: 40,
  },
  upgrade_kills: {
    file: "test/crash-upgrade.test.ts",
    what: "kills at steps of an upgrade, a rollback, a compaction and an update, of each",
    check: 3,
    long: 60,
  },
  store_kills: {
    file: "test/store/crash.test.ts",
    what: "kills of a process that hammers the store",
    check: 25,
    long: 1_000,
  },
  migration_kills: {
    file: "test/formats/formats.test.ts",
    what: "kills of a migration, each at another of its 20 moments",
    check: 6,
    long: 20,
  },
  transactions: {
    file: "test/store/random.test.ts",
    what: "random runs of 250 transactions against a model, in memory and on disk",
    check: 8,
    long: 400,
  },
  layers: {
    file: "test/store/layers.test.ts",
    what: "random runs of 2,000 layered writes against a map",
    check: 6,
    long: 300,
  },
  commits: {
    file: "test/store/journal.test.ts",
    what: "small commits that are read while the journal folds",
    check: 3_000,
    long: 100_000,
  },
  damaged_images: {
    file: "test/store/structure.test.ts",
    what: "damaged images of a database, refused, told of, or served whole",
    check: 130,
    long: 8_000,
  },
  served_images: {
    file: "test/faults/images.test.ts",
    what: "damaged images of data.mdb that the server and the doctor are given",
    check: 13,
    long: 1_300,
  },
  flipped_bits: {
    file: "test/backup/damage.test.ts",
    what: "bits of each file of a backup that are flipped, and found",
    check: 12,
    long: 100_000,
  },
  queues: {
    file: "test/queues/random.test.ts",
    what: "random lives of clients and queues, of 400 steps, with stops and crashes",
    check: 60,
    long: 3_000,
  },
  games: {
    file: "test/oracle.test.ts",
    what: "games of 300 acts of everybody, each held against an oracle of who may what",
    check: 3,
    long: 100,
  },
  groups: {
    file: "test/features/groups-random.test.ts",
    what: "random acts on groups, after each of which clients know what is so",
    check: 50,
    long: 1_000,
  },
  sight: {
    file: "test/features/sight-random.test.ts",
    what: "random lives of who sees what, after which clients know it",
    check: 4,
    long: 100,
  },
  costs: {
    file: "test/cost.test.ts",
    what: "hard texts that cost no more than their length, at most, of all there are",
    check: 2_000,
    long: 1_000_000,
  },
  nonsense: {
    file: "test/bad-input",
    what: "bad values in each parameter of each request, at most, of all there are",
    check: 10,
    long: 100,
  },
  messages: {
    file: "test/text/markdown-fuzz.test.ts",
    what: "odd messages that give known HTML alone",
    check: 4_000,
    long: 400_000,
  },
  lossy: {
    file: "test/web/lossy.test.ts",
    what: "hours of a browser that loses requests and answers, of twenty-five acts",
    check: 1,
    long: 100,
  },
  chaos: {
    file: "test/web/chaos.test.ts",
    what: "towns that thirty acts of everybody change while a browser's answers are late",
    check: 1,
    long: 100,
  },
  builds: {
    file: "test/same-build.test.ts",
    what: "builds in other checkouts, zones and languages, of which each byte is the same",
    check: 0,
    long: 3,
  },
  round_trips: {
    file: "test/moving/jsonl.test.ts",
    what: "random organizations that are exported and imported again",
    check: 5,
    long: 200,
  },
  import_kills: {
    file: "test/moving/jsonl.test.ts",
    what: "kills of an import, which is resumed after each",
    check: 3,
    long: 100,
  },
  slack_exports: {
    file: "test/moving/slack-fuzzed.test.ts",
    what: "Slack exports with random values or bytes in random places",
    check: 150,
    long: 10_000,
  },
  held_seconds: {
    file: "test/server/reverse-proxies.test.ts",
    what: "seconds that a poll is silent behind a reverse proxy",
    check: 0,
    long: 90,
  },
  lints: {
    file: "test/packaging/debian.test.ts",
    what: "readings of the Debian package by lintian",
    check: 0,
    long: 1,
  },
  firefox: {
    file: "test/engines/firefox.test.ts",
    what: "days of a person in Firefox",
    check: 0,
    long: 3,
  },
  webkit: {
    file: "test/engines/webkit.test.ts",
    what: "days of a person in WebKit, Safari's engine",
    check: 0,
    long: 1,
  },
} as const satisfies Record<string, Count>;

export type CountName = keyof typeof COUNTS;

export const IS_LONG = process.env["TEST_LONG"] === "1";

export function countOf(name: CountName): number {
  return COUNTS[name][IS_LONG ? "long" : "check"];
}

/** 1, 2, 3 … */
export function seedsOf(name: CountName): number[] {
  return Array.from({ length: countOf(name) }, (_, at) => at + 1);
}
