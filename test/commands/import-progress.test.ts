// The progress of an import: a bar in a terminal, JSON lines elsewhere, and a server's status.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { barOf, ProgressLines, showProgress } from "../../src/commands/moving/progress-lines.ts";
import {
  endProgress,
  progressNow,
  secondsLeft,
  reportProgress,
} from "../../src/features/moving/import-progress.ts";
import { slackEntries } from "../moving/slack-fixture.ts";
import { zipOf } from "../moving/zip.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };

beforeAll(async () => {
  testServer = await startTestServer();
  // The test uses no command that affects the process.
  socket = acceptCommands(testServer.realm, {} as Parameters<typeof acceptCommands>[1]);
});

afterAll(async () => {
  await socket.stop();
  await testServer.close();
});

test.each([
  [0, 100, undefined, "░".repeat(24) + "   0 %  0 of 100 rows"],
  [50, 100, 9, "█".repeat(12) + "░".repeat(12) + "  50 %  50 of 100 rows, 9 s left"],
  [100, 100, 0, "█".repeat(24) + " 100 %  100 of 100 rows, 0 s left"],
  [300, 100, 61, "█".repeat(24) + " 100 %  300 of 100 rows, 2 min left"],
  [1, 1_000, 3_700, "░".repeat(24) + "   0 %  1 of 1000 rows, 1 h 2 min left"],
  [0, 0, undefined, "░".repeat(24) + "   0 %  0 of 0 rows"],
])("shows %p of %p rows with %p seconds left", (rowsWritten, rowsFoundSoFar, seconds, expected) => {
  expect(barOf(rowsWritten, rowsFoundSoFar, seconds)).toBe(expected);
});

test.each([
  [0, 100, 60_000, undefined],
  [10, 100, 1_000, undefined],
  [10, 100, 10_000, 90],
  [100, 100, 10_000, 0],
])(
  "estimates %p of %p rows after %p ms as %p seconds",
  (rowsWritten, rowsFoundSoFar, ms, expected) => {
    expect(secondsLeft(rowsWritten, rowsFoundSoFar, ms)).toBe(expected as number);
  },
);

function outputOf(isTTY: boolean) {
  const texts: string[] = [];
  return { isTTY, texts, write: (text: string) => void texts.push(text) };
}

test("writes lines of JSON without a terminal, and none after the end", () => {
  let now = 0;
  const output = outputOf(false);
  const lines = new ProgressLines(output, () => now);
  lines.update(1, 100);
  now = 100;
  lines.update(2, 100);
  now = 4_000;
  lines.update(50, 100);
  lines.end();
  now = 9_000;
  lines.update(60, 100);
  expect(output.texts.map((text) => JSON.parse(text))).toEqual([
    { written: 1, found: 100, seconds_left: null },
    { written: 50, found: 100, seconds_left: 4 },
  ]);
});

test("draws one bar in a terminal, and removes it", () => {
  const output = outputOf(true);
  const end = showProgress(undefined, output);
  reportProgress(5, 10);
  end();
  reportProgress(6, 10);
  endProgress();
  expect(output.texts).toHaveLength(2);
  expect(output.texts[0]).toContain("50 %");
  expect(output.texts[1]).toBe("\r\u001B[K");
});

test("a running server reports its progress, and refuses a second import meanwhile", async () => {
  const { data } = testServer.realm.config;
  const from = join(testServer.directory, "slack.zip");
  writeFileSync(from, zipOf(slackEntries()));
  const { write } = testServer.realm;
  const blocked = Promise.withResolvers<void>();
  const isUnderWay = Promise.withResolvers<void>();
  // Blocks writes after the first rows are written, so that the import stays in progress.
  testServer.realm.write = (async (body: never) => {
    if (progressNow()) {
      isUnderWay.resolve();
      await blocked.promise;
    }
    return write.call(testServer.realm, body);
  }) as typeof write;
  const first = executeCommand(data, "runImport", { from });
  await isUnderWay.promise;
  try {
    const [run] = await executeCommand(data, "importStatus", {});
    expect(run).toMatchObject({ state: "running", progress: { written: expect.any(Number) } });
    const second = executeCommand(data, "runImport", { from });
    await expect(second).rejects.toThrow("Another import is running");
  } finally {
    blocked.resolve();
    testServer.realm.write = write;
  }
  expect(await first).toMatchObject({ outcome: "imported" });
  const [finishedRun] = await executeCommand(data, "importStatus", {});
  expect(finishedRun).not.toHaveProperty("progress");
});
