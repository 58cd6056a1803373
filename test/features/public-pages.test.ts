// Pages open to everyone: their content, paging, and removed pages.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";
import { read } from "./upload-fixture.ts";

let testServer: TestServer;
const channels = new Map<string, number>();
const KINDS: Record<string, Params> = {
  square: { is_web_public: true, description: "Questions & <b>answers</b>" },
  hall: {},
  den: { invite_only: true },
};
const HTML = { Accept: "text/html" };

beforeEach(async () => {
  testServer = await startTestServer();
  await testServer.request("olga", "PATCH /realm", { enable_spectator_access: true });
  for (const [name, kind] of Object.entries(KINDS)) {
    const subscribers = [testServer.idOf("bo")];
    const created = await testServer.request("olga", "POST /channels/create", {
      name,
      subscribers,
      ...kind,
    });
    channels.set(name, created.id);
  }
});
afterEach(() => testServer.close());

const post = async (to: string, topic: string, content: string): Promise<number> =>
  (await testServer.request("bo", "POST /messages", { type: "channel", to, topic, content })).id;
const open = (path: string, headers: Record<string, string> = {}) =>
  read(testServer, null, path, { ...HTML, ...headers });
const pathOf = (name: string) => `/public/channel/${channels.get(name)}-${name}/`;

async function textOf(path: string): Promise<string> {
  const response = await open(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

/** The first topic that a channel's page leads to. */
async function topicIn(name: string): Promise<string> {
  const page = await textOf(pathOf(name));
  return /<li><a href="([^"]+)"/.exec(page)![1]!;
}
const linkWithRel = (page: string, rel: string) =>
  new RegExp(`<link rel="${rel}" href="([^"]+)">`).exec(page)?.[1]?.replace(testServer.url, "");

test("shows nothing of private channels, nor of inaccessible topics", async () => {
  await post("square", "open", "all may read");
  const secret = await post("den", "hidden topic", "hidden words");
  await post("hall", "inner topic", "inner words");
  const none = await (await open("/public/channel/99999/")).text();
  for (const name of ["hall", "den"]) {
    const response = await open(pathOf(name));
    expect([response.status, await response.text()]).toEqual([404, none]);
  }
  const { topic_id } = testServer.realm.read.messages.get(secret)!;
  const of_topic = `topic/${topic_id}-hidden-topic/`;
  const noTopic = await (await open(`${pathOf("square")}topic/99999/`)).text();
  for (const [name, text] of [
    ["square", noTopic],
    ["den", none],
  ] as const) {
    const response = await open(pathOf(name) + of_topic);
    expect([response.status, await response.text()]).toEqual([404, text]);
  }
  for (const path of ["channel/x/", "channel/-1/", "channel/1e3/", `${"9".repeat(30)}/`]) {
    expect([path, (await open(`/public/${path}`)).status]).toEqual([path, 404]);
  }
  const pages = [await textOf("/public/"), await textOf(pathOf("square"))];
  pages.push(await textOf(await topicIn("square")));
  const all = pages.join();
  expect(all).toContain("all may read");
  expect(all).not.toMatch(/\bhall\b|-den\/|hidden (topic|words)|inner|example\.com|Ada/);
});

test("shows the description of a channel as text without Markdown", async () => {
  const description = "**All** [questions](https://other.test/) & `answers`";
  await testServer.request("olga", `PATCH /streams/${channels.get("square")}`, { description });
  const words = "All questions &amp; answers";
  expect(await textOf("/public/")).toContain(`<span dir="auto">${words}</span>`);
  const page = await textOf(pathOf("square"));
  expect(page).toContain(`<p class="sub" dir="auto">${words}</p>`);
  expect(page).toContain(`<meta name="description" content="${words}">`);
});

test("cannot be broken by markup in messages", async () => {
  const message_id = await post("square", "plain", "Plain words");
  const widget = { widget_type: "poll", extra_data: { options: [{ toString: 1, valueOf: 1 }] } };
  await testServer.request("bo", "POST /submessage", {
    message_id,
    msg_type: "mine",
    content: widget,
  });
  expect(await textOf(await topicIn("square"))).toContain("Plain words");
});

test("shows the results of a poll and a to-do list, not the command", async () => {
  const add = (name: Name, message_id: number, content: Params) =>
    testServer.request(name, "POST /submessage", { message_id, msg_type: "widget", content });
  const poll = await post("square", "asked", "/poll Which <mast>?\nNorth\nSouth & west");
  const list = await post("square", "asked", "/todo\nRope: forty metres\nSails");
  const page = await textOf(await topicIn("square"));
  expect(page).not.toMatch(/\/(poll|todo)/);
  const [north, south] = ["<bdi>North</bdi>", "<bdi>South &amp; west</bdi>"];
  const emptyPoll = `<ul><li>${north} · 0 votes</li><li>${south} · 0 votes</li></ul>`;
  expect(page).toContain(`<p><b>Which &lt;mast&gt;?</b></p>${emptyPoll}`);
  const sails = "<li><bdi>Sails</bdi></li>";
  expect(page).toContain(`<ul><li><bdi>Rope</bdi>: forty metres</li>${sails}</ul>`);

  await add("bo", poll, { type: "question", question: "Which one?" });
  await add("olga", poll, { type: "new_option", idx: 1, option: "None" });
  for (const name of ["bo", "olga"] as const)
    await add(name, poll, { type: "vote", key: "canned,1", vote: 1 });
  await add("bo", poll, { type: "vote", key: `${testServer.idOf("olga")},1`, vote: 1 });
  await add("bo", list, { type: "new_task_list_title", title: "Before we sail" });
  await add("olga", list, { type: "strike", key: "0,canned" });
  const now = await textOf(await topicIn("square"));
  const options = `<li>${north} · 0 votes</li><li>${south} · 2 votes</li>`;
  expect(now).toContain(`<p><b>Which one?</b></p><ul>${options}<li><bdi>None</bdi> · 1 vote</li>`);
  const rope = "<li><s><bdi>Rope</bdi>: forty metres</s> · done</li>";
  expect(now).toContain(`<p><b>Before we sail</b></p><ul>${rope}${sails}</ul>`);
  // Names of voters are shown only to users with an account.
  expect(now).not.toContain("Olga");
  const german = await open(await topicIn("square"), { "Accept-Language": "de" });
  expect(await german.text()).toContain(`${south} · 2 Stimmen`);
});

test("has no script or inline style, and is not indexed unless enabled", async () => {
  const hostile = `<script>x</script> **fine** [out](https://other.test/) $$x^2$$ :tada:`;
  await post("square", `<b onload=x> & "q"`, hostile);
  await post("square", `<b onload=x> & "q"`, "```spoiler <i>end</i>\ngone\n```\n/me #**square**");
  const path = await topicIn("square");
  const response = await open(path);
  const page = await response.text();
  expect(response.headers.get("content-security-policy")).not.toContain("script-src");
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(page).not.toMatch(/<script|style=|<b onload|katex-html/);
  expect(page).toContain("&lt;b onload=x&gt; &amp; &quot;q&quot;");
  expect(page).toContain("<strong>fine</strong>");
  expect(page).toContain("🎉");
  expect(page).toMatch(/<details[^>]*>\s*<summary/);
  expect(page).not.toContain('content" aria-hidden');
  expect(page).toMatch(/rel="nofollow ugc noopener noreferrer"/);
  expect(response.headers.get("x-robots-tag")).toBe("noindex");
  expect(page).toContain('<meta name="robots" content="noindex">');
  expect((await open("/sitemap.xml")).status).toBe(404);
  expect(await (await open("/robots.txt")).text()).toBe("User-agent: *\nDisallow: /\n");

  await testServer.request("olga", "PATCH /realm", { allow_search_engines: true });
  const found = await open(path);
  expect(found.headers.get("x-robots-tag")).toBeNull();
  expect(await found.text()).not.toContain("noindex");
  const map = await open("/sitemap.xml");
  expect(map.headers.get("content-type")).toStartWith("application/xml");
  const places = [...(await map.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, path]) => path);
  expect(places).toEqual([`/public/`, pathOf("square"), path].map((item) => testServer.url + item));
  expect(await (await open("/robots.txt")).text()).toContain(
    `Sitemap: ${testServer.url}/sitemap.xml`,
  );
});

test("leads from a moved topic to its channel without revealing its new place", async () => {
  await testServer.request("olga", "PATCH /realm", { allow_search_engines: true });
  const first = await post("square", "first", "of the first");
  const path = await topicIn("square");
  const moveParams = { propagate_mode: "change_all", stream_id: channels.get("hall") };
  await testServer.request("olga", `POST /users/me/subscriptions`, {
    subscriptions: [{ name: "hall" }],
  });
  await testServer.request("olga", `PATCH /messages/${first}`, { ...moveParams, topic: "within" });
  await testServer.untilIdle();
  const removed = await open(path);
  const page = await removed.text();
  expect([removed.status, page]).toEqual([404, expect.stringContaining("moved or deleted")]);
  expect(page).toContain(`<a class="button" rel="prev" href="${pathOf("square")}">`);
  expect(page).not.toMatch(/hall|within|of the first/);
  // A topic that never existed gets the same page.
  const never = await open(`${pathOf("square")}topic/9999-never/`);
  expect([never.status, await never.text()]).toEqual([404, page]);
  expect(page).toContain("does not exist");
  expect(await textOf("/sitemap.xml")).not.toMatch(/hall|within|first/);
});

test("includes the time zone in times of messages", async () => {
  const id = await post("square", "open", "now");
  const { timestamp } = testServer.realm.read.messages.get(id)!;
  const path = await topicIn("square");
  const url = new Date(timestamp * 1000).toISOString();
  for (const [language, words] of [
    ["en", /^\d+ \w+ \d{4}, \d\d:\d\d UTC$/],
    ["de", /^[\d.]+, \d\d:\d\d UTC$/],
  ] as const) {
    const page = await (await open(path, { "Accept-Language": language })).text();
    expect(/<time\s+datetime="([^"]+)">/.exec(page)?.[1]).toBe(url);
    expect(/<time[^>]*>([^<]+)</.exec(page)![1]).toMatch(words);
  }
});

test("links pages of a hundred messages, and answers cached ones with 304", async () => {
  const ids: number[] = [];
  for (let offset = 0; offset < 205; offset += 1)
    ids.push(await post("square", "long", `number ${offset}.`));
  await post("square", "short", "between");
  const channel = await textOf(pathOf("square"));
  const path = [...channel.matchAll(/<li><a href="([^"]+)"/g)].map(([, to]) => to!)[1]!;
  const visited: string[] = [];
  const pages: string[] = [];
  let url: string | undefined = path;
  while (url !== undefined) {
    pages.push(url);
    const page = await textOf(url);
    visited.push(...[...page.matchAll(/number (\d+)\./g)].map(([, number]) => number!));
    expect(linkWithRel(page, "canonical")).toBe(url);
    expect(linkWithRel(page, "prev")).toBe(pages.at(-2));
    url = linkWithRel(page, "next");
  }
  expect(pages).toHaveLength(3);
  expect(visited).toEqual(ids.map((_, index) => `${index}`));
  expect((await open(`${path}?after=${ids.at(-1)}`)).status).toBe(404);
  expect((await open(`${path}?after=${Number.MAX_SAFE_INTEGER}`)).status).toBe(404);
  expect((await open(`${pathOf("square")}?before=1`)).status).toBe(404);
  const etag = (await open(path)).headers.get("etag")!;
  const secondResponse = await open(path, { "If-None-Match": etag });
  expect([secondResponse.status, await secondResponse.text()]).toEqual([304, ""]);
  await testServer.request("bo", `PATCH /messages/${ids[3]}`, { content: "otherwise" });
  expect((await open(path, { "If-None-Match": etag })).status).toBe(200);
  const renamed = { topic: "longer", propagate_mode: "change_all" };
  await testServer.request("olga", `PATCH /messages/${ids[0]}`, { ...renamed });
  expect(linkWithRel(await textOf(path), "canonical")).toEndWith("-longer/");
});

test("pages through topics, each once", async () => {
  for (let offset = 0; offset < 104; offset += 1) await post("square", `topic ${offset}`, "x");
  const first = await textOf(pathOf("square"));
  const second = await textOf(linkWithRel(first, "next")!);
  const names = [first, second].flatMap((page) =>
    [...page.matchAll(/<bdi>topic (\d+)<\/bdi>/g)].map(([, number]) => Number(number)),
  );
  expect(names).toEqual(Array.from({ length: 104 }, (_, index) => 103 - index));
  expect(linkWithRel(second, "next")).toBeUndefined();
});

test("disappears at once when the channel, organization or server disables it", async () => {
  const id = await post("square", "open", "all may read");
  const topic = await topicIn("square");
  await testServer.request("olga", "PATCH /realm", { allow_search_engines: true });
  const etag = (await open(topic)).headers.get("etag")!;
  const { topic_id } = testServer.realm.read.messages.get(id)!;
  const stream_id = channels.get("square")!;
  const isRemoved = async () => {
    expect((await open(topic, { "If-None-Match": etag })).status).toBe(404);
    for (const line of [
      "GET //public/",
      `GET //public/channel/${stream_id}/`,
      `GET //public/channel/${stream_id}/topic/${topic_id}/`,
      "GET //sitemap.xml",
    ]) {
      expect([line, (await testServer.send(null, line)).status]).toEqual([line, 404]);
    }
  };
  const stream = `PATCH /streams/${stream_id}`;
  const auditEntries: [string, Json, Json][] = [
    [stream, { is_web_public: false }, { is_web_public: true }],
    ["PATCH /realm", { enable_spectator_access: false }, { enable_spectator_access: true }],
  ];
  for (const [line, closed, repeated] of auditEntries) {
    await testServer.request("olga", line, closed);
    await isRemoved();
    await testServer.request("olga", line, repeated);
    await textOf(topic);
  }
  await testServer.request("olga", `DELETE /messages/${id}`);
  expect(await (await open(topic)).text()).not.toContain("all may read");
  await post("square", "open", "once more");
  await testServer.request("olga", `DELETE /streams/${stream_id}`);
  await isRemoved();
});

test("uses the browser's language, or else the organization's", async () => {
  await post("square", "open", "all may read <time:2026-11-26T12:00:00Z>");
  const path = pathOf("square");
  const request = async (to: string, language: string) => {
    const response = await open(to, { "Accept-Language": language });
    expect(response.headers.get("vary")).toContain("Accept-Language");
    return response.text();
  };
  const german = await request(await topicIn("square"), "de-CH, en;q=0.5");
  expect(german).toContain('<html lang="de">');
  const lines = ["Öffentliche Kanäle", "In der App öffnen", "Anmelden", "Zum Inhalt springen"];
  for (const text of [...lines, ">Donnerstag, 26. November 2026 um 12:00:00 UTC</time>"]) {
    expect(german).toContain(text);
  }
  expect(german).not.toMatch(/Open in the app|Sign in|Public channels/);
  const english = await request(path, "en");
  expect(english).toContain('<html lang="en">');
  const { headers } = await open(path, { "Accept-Language": "en" });
  const ifNoneMatch = { "If-None-Match": headers.get("etag")! };
  expect((await open(path, { ...ifNoneMatch, "Accept-Language": "en" })).status).toBe(304);
  expect((await open(path, { ...ifNoneMatch, "Accept-Language": "de" })).status).toBe(200);
  await testServer.request("olga", "PATCH /realm", { default_language: "de" });
  expect(await request("/public/", "pt")).toContain('<html lang="de">');
});
