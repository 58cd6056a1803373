// HTML archives contain what their viewer may read, and work in a browser without a server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { executeCommand, acceptCommands } from "../../src/commands/control.ts";
import { archivedName } from "../../src/features/moving/html/file-names-rules.ts";
import { writeMessage } from "../../src/features/moving/write-message.ts";
import { onEndOfTest } from "../cleanup.ts";
import type { Name } from "../users.ts";
import { striped, upload } from "../features/upload-fixture.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { faultsOf, applyLook, APPEARANCES } from "../web/axe.ts";
import { openBrowser } from "../web/browser-session.ts";

let testServer: TestServer;
let socket: { stop(): Promise<void> };
const channels = new Map<string, number>();
const KINDS: Record<string, Params> = {
  square: { is_web_public: true, description: "Questions & <b>answers</b>" },
  hall: {},
  den: { invite_only: true, history_public_to_subscribers: false },
};
const MESSAGES = 501;

beforeAll(async () => {
  testServer = await startTestServer();
  // No process command is used here.
  socket = acceptCommands(testServer.realm, {} as Parameters<typeof acceptCommands>[1]);
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  for (const [name, kind] of Object.entries(KINDS)) {
    const subscribers = ["bo", "olga"].map((item) => testServer.idOf(item as Name));
    const params = { name, subscribers, ...kind };
    channels.set(name, (await testServer.request("olga", "POST /channels/create", params)).id);
  }
  await fill();
});

afterAll(async () => {
  await socket.stop();
  await testServer.close();
});

const post = async (name: Name, to: string, topic: string, content: string): Promise<number> =>
  (await testServer.request(name, "POST /messages", { type: "channel", to, topic, content })).id;

const notify = (name: Name, to: readonly Name[], content: string) =>
  testServer.request(name, "POST /messages", {
    ...{ type: "direct", to: to.map((name) => testServer.idOf(name)), content },
  });

async function fill(): Promise<void> {
  const text = { name: "plan.txt", bytes: "hallfilebytes", type: "text/plain" };
  const attachment = { name: "evil.html", bytes: "<script>x</script>", type: "text/html" };
  const note = { name: "denfilename.txt", bytes: "denfilebytes", type: "text/plain" };
  const [plan, page, secret] = [
    await upload(testServer, "bo", text),
    await upload(testServer, "bo", attachment),
    await upload(testServer, "olga", note),
  ];
  const picture = await upload(testServer, "bo", { name: "cat.png", bytes: striped(8, 8) });
  const first = await post(
    "bo",
    "square",
    "Opening",
    "squareword **bold** Überraschung 東京タワー",
  );
  await post("bo", "square", "Opening", "<script>alert(1)</script> [a](javascript:alert(1))");
  await post(
    "bo",
    "square",
    "Opening",
    "![far](https://elsewhere.example/far.png) [out](https://x.example/)",
  );
  await post("bo", "hall", "Plans", `hallword [plan.txt](${plan}) [evil.html](${page})`);
  await post("bo", "hall", "Plans", `![cat.png](${picture})`);
  const link = `#narrow/channel/${channels.get("square")}-square/topic/Opening/near/${first}`;
  await post("bo", "hall", "Plans", `see [there](${link}) :tada:`);
  await testServer.request("bo", `POST /messages/${first}/reactions`, { emoji_name: "tada" });
  await post("olga", "den", "denformertopic", `denformer [denfilename.txt](${secret})`);
  await testServer.request("olga", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "den" }],
    principals: [testServer.idOf("cy")],
  });
  await post("olga", "den", "dentopic", "denlater");
  await notify("bo", ["cy"], "directbocy");
  await notify("olga", ["ada"], "directolgaada");
  await notify("olga", ["ada", "bo"], "directgroup");
  await testServer.realm.write((tx) => {
    for (let offset = 0; offset < MESSAGES; offset += 1) {
      const to = { stream_id: channels.get("hall")!, topic: "Long" };
      const messageFields = { sender_id: testServer.idOf("bo"), timestamp: tx.now + offset, to };
      const rest = { client: "test", reactions: [], last_edit_timestamp: null };
      writeMessage(tx, { ...messageFields, ...rest, content: `numbered${offset}` });
    }
  });
}

let exports = 0;

async function exportHtml(viewer: Name | undefined): Promise<string> {
  const to = join(testServer.directory, `archive-${++exports}`);
  const user_id = viewer && testServer.idOf(viewer);
  const report = await executeCommand(testServer.realm.config.data, "exportHtml", { to, user_id });
  expect(report).toMatchObject({ outcome: "exported", exit: 0 });
  return to;
}

/** Returns names and bytes of all files, or of those with this extension. */
function textOfFolder(folder: string, extension = ""): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)}\n${readFileSync(path, "latin1")}\n`)
    .join("");
}

const WORDS = [
  ...["squareword", "hallword", "hallfilebytes", "denformer", "denlater", "denfilename"],
  ...["denfilebytes", "denformertopic", "dentopic", "directbocy", "directolgaada", "directgroup"],
];
const SQUARE = ["squareword"];
const HALL = [...SQUARE, "hallword", "hallfilebytes"];
const FORMER_TEXTS = ["denformer", "denformertopic", "denfilename", "denfilebytes"];
const DEN = ["denlater", "dentopic"];

test.each([
  [undefined, SQUARE],
  ["gus", SQUARE],
  ["mo", HALL],
  ["cy", [...HALL, ...DEN, "directbocy"]],
  ["bo", [...HALL, ...DEN, ...FORMER_TEXTS, "directbocy", "directgroup"]],
  ["olga", [...HALL, ...DEN, ...FORMER_TEXTS, "directolgaada", "directgroup"]],
] as [Name | undefined, string[]][])(
  "exports for %p only what the viewer may read",
  async (viewer, visibleTexts) => {
    const text = textOfFolder(await exportHtml(viewer));
    expect(WORDS.filter((word) => text.includes(word)).sort()).toEqual([...visibleTexts].sort());
    // Only viewers who see the private channel find its name; no viewer finds URLs or emails.
    expect(text.includes(">den<")).toBe(visibleTexts.includes("denlater"));
    expect(text.includes(testServer.realm.config.url)).toBe(false);
    expect(text.includes("@example.com")).toBe(false);
  },
);

test("hides the names of users whom a guest may not see", async () => {
  await testServer.request("olga", "POST /users/me/subscriptions", {
    subscriptions: [{ name: "square" }],
    principals: [testServer.idOf("gus")],
  });
  await post("mo", "square", "Opening", "a moderator wrote this");
  const members = (await testServer.request("olga", "GET /user_groups")).user_groups;
  const { id } = members.find((member: { name: string }) => member.name === "role:members");
  await testServer.request("olga", "PATCH /realm", {
    can_access_all_users_group: { new: id },
  });
  const text = textOfFolder(await exportHtml("gus"));
  expect(text).toContain("a moderator wrote this");
  expect(text).toContain("Unknown user");
  expect(text).not.toContain("Mo Moderator");
});

test("names files so that no browser runs them, and makes links local", async () => {
  const folder = await exportHtml("bo");
  const names = readdirSync(join(folder, "files"), { recursive: true }) as string[];
  const files = names.filter((name) => statSync(join(folder, "files", name)).isFile());
  const fileNames = files.map((name) => name.split("/").at(-1)).sort();
  expect(fileNames).toEqual(["cat.png", "denfilename.txt", "evil.html.download", "plan.txt"]);
  const text = textOfFolder(folder, ".html");
  const active = /<script>|href="javascript|user_uploads|src="http|<[a-z][^<>]*\son\w+=/i;
  expect(active.exec(text)?.[0]).toBeUndefined();
  for (const [, path] of text.matchAll(/(?:href|src)="\.\.\/([^"#]+)/g)) {
    expect([path, existsSync(join(folder, path!))]).toEqual([path, true]);
  }
  expect(statSync(join(folder, "index.html")).mode & 0o077).toBe(0);
});

test.each([
  ["report.pdf", "report.pdf"],
  ["page.HTML", "page.HTML.download"],
  ["image.svg", "image.svg.download"],
  ["setup.exe", "setup.exe.download"],
  ["no extension", "no-extension.download"],
  ["../../etc/passwd.txt", "etcpasswd.txt"],
  ["con.txt", "file-con.txt"],
  ["東京.png", "uploaded-file.png"],
])("stores the file %p as %p", (name, expected) => {
  expect(archivedName(name)).toBe(expected);
});

async function openExport(
  folder: string,
): Promise<{ page: Page; faults: string[]; requestedUrls: string[] }> {
  const context = await (await openBrowser()).newContext({ reducedMotion: "reduce" });
  onEndOfTest(() => context.close());
  const page = await context.newPage();
  const [faults, requests]: [string[], string[]] = [[], []];
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  page.on("pageerror", (error) => void faults.push(String(error)));
  page.on("request", (request) => void requests.push(request.url()));
  await page.goto(pathToFileURL(join(folder, "index.html")).href);
  return { page, faults, requestedUrls: requests };
}

test("the exported pages are readable and searchable without a server", async () => {
  const folder = await exportHtml("bo");
  const { page, faults, requestedUrls: requests } = await openExport(folder);
  const search = async (query: string) => {
    await page.getByRole("searchbox").fill(query);
    await page.getByRole("searchbox").press("Enter");
    await page.locator(`.found[data-query="${query}"]`).waitFor();
    return page.locator(".hits > li").allInnerTexts();
  };
  expect(await page.locator(".page").innerText()).toContain("hall");
  for (const query of ["squareword", "squar bold", "überr", "uberrasch", "京"]) {
    expect([query, (await search(query)).length]).toEqual([query, 1]);
  }
  expect(await search("denlater square")).toEqual([]);
  expect(await search("numbered")).toHaveLength(50);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.locator(".hits > li").nth(99).waitFor();
  for (const variant of APPEARANCES) {
    await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  }
  await search("numbered7");
  await page.locator(".hits a").first().click();
  await page.waitForURL(/topics\/\d+(-2)?\.html#m\d+$/);
  for (const path of ["index.html", "channels", "topics", "direct"]) {
    const name = path.endsWith(".html") ? path : `${path}/${readdirSync(join(folder, path))[0]}`;
    await page.goto(pathToFileURL(join(folder, name)).href);
    expect([path, await faultsOf(page)]).toEqual([path, []]);
  }
  const topic = `topics/${readdirSync(join(folder, "topics")).find((item) => item.includes("-2"))}`;
  await page.goto(pathToFileURL(join(folder, topic)).href);
  expect(await page.locator(".message").count()).toBe(1);
  await page.getByRole("link", { name: "Earlier messages" }).first().click();
  await page.waitForURL(/topics\/\d+\.html$/);
  expect(await page.locator(".message").count()).toBe(500);
  expect(requests.filter((url) => !url.startsWith("file://"))).toEqual([]);
  // The policy forbids requests, but axe itself tries to fetch the style sheet.
  expect(faults.filter((fault) => !fault.startsWith("Connecting to "))).toEqual([]);
});
