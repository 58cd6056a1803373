// Records of an archive that have no usable form are counted; the others are imported.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import type { MovingReport } from "../../src/features/moving/report.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { channelFile, message as discordMessage, OLGA } from "./discord-fixture.ts";
import { slackEntries } from "./slack-fixture.ts";
import { channelId, message as teamsMessage, teamsEntries } from "./teams-fixture.ts";
import { zipIn } from "./import-fixture.ts";
import type { ZipEntry } from "./zip.ts";

let testServer: TestServer;

beforeAll(async () => {
  testServer = await startTestServer();
});

afterAll(() => testServer.close());

async function planImport(entries: ZipEntry[]): Promise<MovingReport> {
  const report = await movingCommands.planImport(testServer.realm, {
    from: zipIn(testServer, entries),
  });
  expect(report.faults).toEqual([]);
  return report;
}

const POSTS = "teams/t1/messages_t1.json";
const GENERAL_CHANNEL = { ChannelIdentity: { ChannelId: channelId("gen") } };
/** JSON values that are not records. */
const ODD_RECORDS = ["null", "17", '"a,b]"', "[{}]", "true"];
const MESSAGE = "A message has no id, place, author or time: it is left out.";
const RECORD = "A record is no object or has no id: it is left out.";

/** Puts odd values before, between and after the records of a list. */
function withOddRows(list: string): string {
  const [first, ...others] = JSON.parse(list) as unknown[];
  const stringifyAll = (rows: unknown[]) => rows.map((row) => JSON.stringify(row));
  const rows = [
    ODD_RECORDS[0],
    ...stringifyAll([first]),
    ...ODD_RECORDS.slice(1, -1),
    ...stringifyAll(others),
    ODD_RECORDS.at(-1),
  ];
  return `[${rows.join(" , ")}]`;
}

function expectLost(report: MovingReport, kind: string, paths: readonly string[]): void {
  expect(report.losses).toContainEqual({ kind, count: paths.length, examples: [...paths] });
}

test("counts values among the users, channels and messages of Slack", async () => {
  const entries = slackEntries();
  const plan = await planImport(entries);
  const lists = ["users.json", "channels.json"];
  const day = entries.find(({ name }) => name.startsWith("general/"))!;
  const report = await planImport(
    entries.map((entry) => {
      const isMixed = lists.includes(entry.name) || entry === day;
      return isMixed ? { ...entry, bytes: withOddRows(String(entry.bytes)) } : entry;
    }),
  );
  expect(report.found).toEqual(plan.found);
  const count = (kind: string) => report.losses.find((loss) => loss.kind === kind)?.count;
  expect(count(RECORD)).toBe(2 * ODD_RECORDS.length);
  const before = plan.losses.find(({ kind }) => kind === MESSAGE)?.count ?? 0;
  expect(count(MESSAGE)).toBe(before + ODD_RECORDS.length);
});

test("leaves out users and channels of Slack without an id", async () => {
  const report = await planImport(
    slackEntries([
      { name: "users.json", bytes: '[{"name":"a"},{"id":"U0OLGA","name":"olga"}]' },
      { name: "channels.json", bytes: '[{"id":"C01","name":"general"},{"id":"no id"}]' },
    ]),
  );
  expectLost(report, RECORD, ["channels.json#2", "users.json#1"]);
});

test("reads no other entries as the messages of a Slack channel without a name", async () => {
  const channels = '[{"id":"C01","name":"general"},{"id":"C02","name":""}]';
  await planImport(slackEntries([{ name: "channels.json", bytes: channels }]));
});

test("counts values among the users and messages of Teams", async () => {
  const posts = [1, 2].map((index) => teamsMessage(index, null, `text ${index}`, GENERAL_CHANNEL));
  const entries = teamsEntries({ [POSTS]: JSON.stringify(posts) });
  const plan = await planImport(entries);
  const mixedIn = ["users/usersList.json", "teams/teamsList.json", POSTS];
  const report = await planImport(
    entries.map((entry) =>
      mixedIn.some((name) => entry.name.endsWith(name))
        ? { ...entry, bytes: withOddRows(String(entry.bytes)) }
        : entry,
    ),
  );
  expect(report.found).toEqual(plan.found);
  expect(report.losses.find(({ kind }) => kind === RECORD)?.count).toBe(3 * ODD_RECORDS.length);
});

test("counts values among the messages of Discord, and files without a channel", async () => {
  const rows = [1, 2].map((index) => discordMessage(String(index), index, OLGA, `text ${index}`));
  const fileText = channelFile({ id: "20", name: "general" }, []);
  const bytes = fileText.replace(
    '"messages": []',
    `"messages": ${withOddRows(JSON.stringify(rows))}`,
  );
  expect(bytes).not.toBe(fileText);
  const report = await planImport([
    { name: "a.json", bytes: channelFile({}, rows) },
    { name: "general.json", bytes },
  ]);
  expect(report.found["messages"]).toBe(2);
  expectLost(report, RECORD, ["a.json"]);
  expectLost(
    report,
    MESSAGE,
    [1, 3, 4, 5, 7].map((index) => `general.json#${index}`),
  );
});
