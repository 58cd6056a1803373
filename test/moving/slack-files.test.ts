// Files that a Slack export links to: fetched by the running server, and put into their messages.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { movingCommands } from "../../src/commands/admin/moving-commands.ts";
import { FETCH_FILE, type FileToFetch } from "../../src/features/moving/import/linked-files.ts";
import { fetchFile } from "../../src/features/moving/import/linked-files-jobs.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";
import { BO, slackEntries, ts } from "./slack-fixture.ts";
import { zipOf } from "./zip.ts";

let testServer: TestServer;
let slack: Bun.Server<undefined>;
const requests: string[] = [];

beforeAll(() => {
  slack = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname, search } = new URL(url);
      requests.push(pathname + search);
      if (pathname === "/login") {
        return new Response("<!DOCTYPE html><p>Sign in", {
          headers: { "Content-Type": "text/html" },
        });
      }
      return pathname === "/gone" ? new Response("", { status: 404 }) : new Response("the bytes\n");
    },
  });
});

beforeEach(async () => {
  requests.length = 0;
  const options = { url: "https://chat.example", outbound_allow: ["127.0.0.0/8"] };
  // The test runs the jobs one by one.
  testServer = await startTestServer(options, { organizations: [], is_still: true });
});

afterEach(() => testServer.close());
afterAll(() => slack.stop(true));

const file = (path: string, name: string, size = 10) => ({
  ...{ id: `F${name}`, name, size, mimetype: "text/plain" },
  url_private: `http://127.0.0.1:${slack.port}${path}`,
});
const post = (seconds: number, text: string, ...files: object[]) => ({
  ...{ type: "message", user: BO, text, ts: ts(seconds), files },
});

async function listMessages(): Promise<Json[]> {
  const newest = { anchor: "newest", num_before: 1_000, num_after: 0, apply_markdown: false };
  const { messages } = await testServer.request("olga", "GET /messages", newest);
  return messages.filter(({ client }: Json) => client === "Slack");
}

test("fetches linked files, and keeps the names of missing ones", async () => {
  const rows = [
    post(1, "kept", file("/a?t=xoxe-1", "a.txt")),
    post(2, "expired", file("/login?t=xoxe-1", "b.txt")),
    post(3, "gone", file("/gone?t=xoxe-1", "c.txt")),
    post(4, "cut", file("/a?t=xoxe-1", "d.txt", 99)),
    post(5, "no token", file("/a", "e.txt")),
  ];
  const bytes = JSON.stringify(rows);
  const from = join(testServer.directory, "slack.zip");
  writeFileSync(from, zipOf(slackEntries([{ name: "general/2018-01-20.json", bytes }])));
  const report = await movingCommands.runImport(testServer.realm, { from }, true);
  expect(report.found["files to fetch from Slack"]).toBe(4);
  const { read } = testServer.realm;
  const jobs = [...read.due.range()].filter(({ kind }) => kind === FETCH_FILE);
  expect(await movingCommands.importStatus(testServer.realm, {})).toMatchObject([
    { files_to_fetch: 4 },
  ]);

  const listener = await testServer.listen("olga", { event_types: ["update_message"] });
  const outcomes = await Promise.allSettled(jobs.map((job) => fetchFile(testServer.realm, job)));
  const failures = outcomes.map((outcome) =>
    outcome.status === "rejected" ? outcome.reason.message : "done",
  );
  expect(failures.toSorted()).toEqual([
    "b.txt: Slack asks to sign in: the token in the export has expired",
    "d.txt has 10 bytes instead of 99",
    "done",
    "it responded with status 404",
  ]);
  expect(requests.every((path) => path.includes("xoxe-1"))).toBe(true);

  const texts = (await listMessages()).map(({ content }) => content);
  const [keptText = ""] = texts.filter((text) => text.startsWith("kept"));
  for (const name of ["b", "c", "d", "e"]) {
    expect(texts.join("\n")).toContain(`\`${name}.txt\` (file, 1 KiB, not available)`);
  }
  const [uri = ""] = /\/user_uploads\/[^)]+/.exec(keptText) ?? [];
  expect(await (await testServer.send("olga", `GET /${uri}`)).text()).toBe("the bytes\n");
  expect((await testServer.send("gus", `GET /${uri}`)).status).toBe(403);
  expect(await listener.next()).toMatchObject({ content: keptText, rendering_only: true });

  // Running the job again, as after a crash, changes nothing.
  await fetchFile(testServer.realm, jobs[0]!);
  expect((await listMessages()).map(({ content }) => content)).toEqual(texts);
});

test("fetches files that are missing with the token of a later export, once", async () => {
  const { realm } = testServer;
  const exportWith = (name: string, expired: string, token: string) => {
    const rows = [
      post(1, "kept", file(`/a?t=${token}`, "a.txt")),
      post(2, "expired", file(`${expired}?t=${token}`, "b.txt")),
    ];
    const bytes = JSON.stringify(rows);
    const from = join(testServer.directory, name);
    writeFileSync(from, zipOf(slackEntries([{ name: "general/2018-01-20.json", bytes }])));
    return from;
  };
  const jobsOf = (token: string) =>
    [...realm.read.due.range()].filter(
      ({ kind, payload }) => kind === FETCH_FILE && (payload as FileToFetch).url.includes(token),
    );
  const first = exportWith("slack.zip", "/login", "xoxe-1");
  await movingCommands.runImport(realm, { from: first }, true);
  const jobs = jobsOf("xoxe-1");
  await Promise.allSettled(jobs.map((job) => fetchFile(realm, job)));
  await realm.write((tx) => {
    for (const { at, job_id } of jobs) tx.due.delete(at, job_id);
  });
  const from = exportWith("later.zip", "/a", "xoxe-2");
  for (let times = 0; times < 2; times++) {
    const { written } = await movingCommands.runImport(realm, { from }, true);
    expect([written, jobsOf("xoxe-2").length]).toEqual([{}, 1]);
  }
  await fetchFile(realm, jobsOf("xoxe-2")[0]!);
  const texts = (await listMessages()).map(({ content }) => content as string);
  expect(texts.find((text) => text.startsWith("expired"))).toContain("](/user_uploads/");
  const undoResult = await movingCommands.undoImport(realm, { id: 1 }, true);
  expect(undoResult).toMatchObject({ outcome: "undone", exit: 0, faults: [] });
});

test("never connects to private addresses", async () => {
  const closed = await startTestServer({}, { organizations: [], is_still: true });
  try {
    const bytes = JSON.stringify([post(1, "inside", file("/inside?t=xoxe-1", "x.txt"))]);
    const from = join(closed.directory, "slack.zip");
    writeFileSync(from, zipOf(slackEntries([{ name: "general/2018-01-20.json", bytes }])));
    await movingCommands.runImport(closed.realm, { from }, true);
    const [job] = [...closed.realm.read.due.range()].filter(({ kind }) => kind === FETCH_FILE);
    const fetching = fetchFile(closed.realm, job!);
    await expect(fetching).rejects.toThrow("which is not public");
    expect(requests.some((path) => path.startsWith("/inside"))).toBe(false);
  } finally {
    await closed.close();
  }
});
