// Data that was imported from each product is exported in every format.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { exportZulip } from "../../src/features/moving/zulip/write/export.ts";
import { onEndOfTest } from "../cleanup.ts";
import type { TestServer } from "../test-server.ts";
import { openBrowser } from "../web/browser-session.ts";
import { dumpFolder } from "./bson-writer.ts";
import { campfireFolder } from "./campfire-fixture.ts";
import { comparableTables } from "./comparable-tables.ts";
import { discordEntries } from "./discord-fixture.ts";
import { folderIn, openServer, run } from "./import-fixture.ts";
import { entries as mattermostEntries } from "./mattermost-fixture.ts";
import { moveThroughJsonl, storedIn, visibleTo, withRealm } from "./random-organization.ts";
import { COLLECTIONS } from "./rocketchat-fixture.ts";
import { slackEntries, ts } from "./slack-fixture.ts";
import { teamsEntries } from "./teams-fixture.ts";

/** A message in a direct conversation of which the app is not a member. */
const OF_APP = {
  ...{ type: "message", subtype: "bot_message", bot_id: "B0ZOOM", username: "Zoom" },
  ...{ text: "meeting", ts: ts(3 * 86_400) },
};

/** An organization with an import from each product. */
async function importedServer(): Promise<TestServer> {
  const testServer = await openServer();
  const { directory } = testServer;
  const archives = {
    slack: slackEntries([{ name: "D0ONE/2018-01-23.json", bytes: JSON.stringify([OF_APP]) }]),
    mattermost: mattermostEntries(),
    rocketchat: dumpFolder(COLLECTIONS),
    teams: teamsEntries(),
    discord: discordEntries(),
  };
  const paths = Object.entries(archives).map(([name, entries]) => {
    return folderIn(directory, entries, name);
  });
  for (const path of [...paths, campfireFolder(directory)]) {
    expect(await run(testServer, path)).toMatchObject({ outcome: "imported", faults: [] });
  }
  return testServer;
}

test("a JSONL export and a Zulip archive restore what was imported", async () => {
  const testServer = await importedServer();
  const { realm, directory } = testServer;
  const [stored, tables] = [storedIn(realm.read), comparableTables(realm.read)];
  const seen = await visibleTo(testServer);
  const from = join(directory, "zulip");
  const exported = await exportZulip(realm, from, { kind: "full_without_consent" });
  expect(exported).toMatchObject({ outcome: "exported", faults: [] });
  const data = join(directory, "from-zulip");
  const imported = await executeCommand(data, "runImport", { from, roles: "keep" });
  expect(imported).toMatchObject({ outcome: "imported", faults: [] });
  expect(await withRealm(data, ({ read }) => comparableTables(read))).toEqual(tables);

  const reports = await moveThroughJsonl(testServer);
  for (const report of reports) expect(report).toMatchObject({ exit: 0, losses: [], faults: [] });
  expect(storedIn(testServer.realm.read)).toEqual(stored);
  expect(await visibleTo(testServer)).toEqual(seen);
});

test("the HTML archive and the export of a person contain imported messages", async () => {
  const testServer = await importedServer();
  const { realm, directory } = testServer;
  // No process command is used here.
  const socket = acceptCommands(realm, {} as Parameters<typeof acceptCommands>[1]);
  onEndOfTest(() => socket.stop());
  const user_id = testServer.idOf("bo");
  const exportTo = (command: "exportHtml" | "exportPerson", to: string) =>
    executeCommand(realm.config.data, command, { to: join(directory, to), user_id });
  expect(await exportTo("exportPerson", "person")).toMatchObject({ exit: 0, losses: [] });
  expect(await exportTo("exportHtml", "html")).toMatchObject({ exit: 0, losses: [] });
  const context = await (await openBrowser()).newContext();
  onEndOfTest(() => context.close());
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  await page.goto(pathToFileURL(join(directory, "html/index.html")).href);
  await page.getByRole("searchbox").fill("question");
  await page.getByRole("searchbox").press("Enter");
  await page.locator('.found[data-query="question"]').waitFor();
  const hits = await page.locator(".hits > li").allInnerTexts();
  expect(hits.filter((hit) => hit.includes("one question")).length).toBeGreaterThanOrEqual(3);
  expect(faults).toEqual([]);
});
