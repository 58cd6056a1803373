// Link previews are fetched after the send, and reach those who have the message.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import { purgePages } from "../../src/features/messages/edit/previews-jobs.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import {
  type Json,
  type Listener,
  startTestServer,
  type Params,
  type TestServer,
} from "../test-server.ts";
import { until } from "../wait-until.ts";

const DAY_SECONDS = 86_400;

let testServer: TestServer;
let site: Server;
let url: string;
/** Requested paths. */
let requests: string[];
/** Responses wait for this promise. */
let open: Promise<void>;
beforeEach(async () => {
  site = createServer((request, response) => {
    requests.push(request.url!);
    void open.then(() => answer(request.url!, response));
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
});
afterEach(() => site.close());

beforeEach(async () => {
  requests = [];
  open = Promise.resolve();
  testServer = await startTestServer({ outbound_allow: ["127.0.0.1"], external_content: false });
  await testServer.request("olga", "PATCH /realm", { inline_url_embed_preview: true });
});
afterEach(() => testServer.close());

function answer(path: string, response: import("node:http").ServerResponse): void {
  const [, kind] = path.split("/");
  if (kind === "gone") response.statusCode = 404;
  const type = kind === "picture" ? "image/png" : "text/html";
  const bytes = kind === "latin" ? Buffer.from(page("caf\u00e9"), "latin1") : page(`Page ${path}`);
  const charset = kind === "latin" ? "; charset=iso-8859-1" : "";
  response.writeHead(response.statusCode, { "Content-Type": type + charset });
  response.end(kind === "bare" ? "<title>x</title>" : bytes);
}

const page = (title: string) =>
  `<head><title>${title}</title><meta property="og:image" content="https://img.example/i.png">` +
  '<meta property="og:description" content="About it.">';
const embedHtml = (path: string, title = `Page ${path}`) =>
  `<div class="message_embed"><a class="message_embed_image" href="${url}${path}" ` +
  'style="background-image: url(&quot;https://img.example/i.png&quot;)"></a>' +
  '<div class="data-container"><div class="message_embed_title">' +
  `<a href="${url}${path}" title="${title}">${title}</a></div>` +
  '<div class="message_embed_description">About it.</div></div></div>';
const link = (path: string) => `<a href="${url}${path}">${url}${path}</a>`;

const post = async (name: Name, content: string, params: Params = {}): Promise<number> => {
  const message = { type: "stream", to: "general", topic: "news", content, ...params };
  return (await testServer.request(name, "POST /messages", message)).id;
};
const htmlOf = async (id: number): Promise<string> =>
  (await testServer.request("bo", `GET /messages/${id}`)).message.content;

/** Resolves when no job is left, and their events are delivered. */
async function untilJobsDone(): Promise<void> {
  while ([...testServer.realm.read.due.range({ to: [testServer.clock.now() + 1] })].length > 0) {
    await Bun.sleep(1);
  }
  await testServer.untilIdle();
}

async function messageUpdates(listener: Listener): Promise<Json[]> {
  await untilJobsDone();
  return (await listener.takeAll()).filter((event) => event.type === "update_message");
}

/** Delays the site's responses until the returned function is called. */
function holdResponses(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  open = promise;
  return resolve;
}

test("shows a preview after the fetch, without marking the message as edited", async () => {
  const { result: id, events } = await staysInSync(testServer, ["bo", "cy", "gus"], async () => {
    const response = await post("bo", `see ${url}/a`, { read_by_sender: true });
    await untilJobsDone();
    return response;
  });
  const html = `<p>see ${link("/a")}</p>\n${embedHtml("/a")}`;
  expect(await htmlOf(id)).toBe(html);
  const [sent, payload, ...more] = events.cy!;
  expect(sent!["message"].content).toBe(`<p>see ${link("/a")}</p>`);
  expect(more).toEqual([]);
  expect(payload).toEqual({
    type: "update_message",
    id: expect.any(Number),
    user_id: null,
    edit_timestamp: expect.any(Number),
    message_id: id,
    message_ids: [id],
    rendering_only: true,
    stream_id: sent!["message"].stream_id,
    stream_name: "general",
    content: `see ${url}/a`,
    rendered_content: html,
    is_me_message: false,
    flags: [],
  });
  expect(events.bo!.find((event) => event["rendering_only"])!["flags"]).toEqual(["read"]);
  expect(events.gus).toEqual([]);
  const { message } = await testServer.request("cy", `GET /messages/${id}`);
  expect([message.last_edit_timestamp, message.edit_history]).toEqual([undefined, undefined]);
});

test("sends the event of a direct message only to its users", async () => {
  const [cy, ada] = [await testServer.listen("cy"), await testServer.listen("ada")];
  const to = JSON.stringify([testServer.idOf("cy")]);
  const id = await post("bo", `/me reads ${url}/a`, { type: "direct", to });
  const [received, ...more] = await messageUpdates(cy);
  expect(more).toEqual([]);
  expect(received).toMatchObject({ message_id: id, rendering_only: true, is_me_message: true });
  expect(received).not.toHaveProperty("stream_id");
  expect(await ada.takeAll()).toEqual([]);
});

test("shows a cached preview at once, for a day", async () => {
  await post("bo", `${url}/a`);
  await untilJobsDone();
  const id = await post("cy", `again ${url}/a`);
  expect(await htmlOf(id)).toBe(`<p>again ${link("/a")}</p>\n${embedHtml("/a")}`);
  expect(requests).toEqual(["/a"]);
  await purgePages(testServer.realm);
  expect(testServer.realm.read.linked_pages.count()).toBe(1);
  testServer.clock.passSeconds(DAY_SECONDS);
  await post("bo", `${url}/a`);
  await untilJobsDone();
  expect(requests).toEqual(["/a", "/a"]);
  testServer.clock.passSeconds(DAY_SECONDS);
  await purgePages(testServer.realm);
  expect(testServer.realm.read.linked_pages.count()).toBe(0);
});

test("fetches at most five pages", async () => {
  const paths = ["/1", "/2", "/3", "/4", "/5", "/6"];
  const id = await post("bo", paths.map((path) => url + path).join(" "));
  await untilJobsDone();
  expect(requests.sort()).toEqual(paths.slice(0, 5));
  expect((await htmlOf(id)).split("message_embed_image").length).toBe(6);
});

test.each(["/gone", "/bare", "/picture"])("%s shows nothing and sends no event", async (path) => {
  const listener = await testServer.listen("cy");
  const id = await post("bo", url + path);
  expect(await messageUpdates(listener)).toEqual([]);
  expect(await htmlOf(id)).toBe(`<p>${link(path)}</p>`);
  await post("bo", url + path);
  await untilJobsDone();
  expect(requests).toEqual([path]);
});

test("retries a page that could not be read later", async () => {
  await post("bo", `${url}/gone`);
  await untilJobsDone();
  testServer.clock.passSeconds(601);
  await post("bo", `${url}/gone`);
  await untilJobsDone();
  expect(requests).toEqual(["/gone", "/gone"]);
});

test("decodes other encodings", async () => {
  const id = await post("bo", `${url}/latin`);
  await untilJobsDone();
  expect(await htmlOf(id)).toContain(embedHtml("/latin", "caf\u00e9"));
});

test("removes the preview when an edit removes the link", async () => {
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  await until(() => requests.length > 0);
  const listener = await testServer.listen("cy");
  await testServer.request("bo", `PATCH /messages/${id}`, { content: "no more" });
  responses();
  expect((await messageUpdates(listener)).map((event) => event.rendering_only)).toEqual([false]);
  expect(await htmlOf(id)).toBe("<p>no more</p>");
});

test("shows the preview of a link added by an edit", async () => {
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  await testServer.request("bo", `PATCH /messages/${id}`, { content: `${url}/b` });
  responses();
  await untilJobsDone();
  expect(await htmlOf(id)).toBe(`<p>${link("/b")}</p>\n${embedHtml("/b")}`);
  await testServer.request("bo", `PATCH /messages/${id}`, { content: `${url}/a or ${url}/c` });
  await untilJobsDone();
  expect(await htmlOf(id)).toContain(`</p>\n${embedHtml("/a")}${embedHtml("/c")}`);
});

test("keeps a message deleted meanwhile deleted", async () => {
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  await until(() => requests.length > 0);
  const listener = await testServer.listen("cy");
  await testServer.request("olga", `DELETE /messages/${id}`);
  responses();
  expect(await messageUpdates(listener)).toEqual([]);
  expect(testServer.realm.read.messages.has(id)).toBe(false);
});

test("sends the event for the current place of a moved message", async () => {
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  const { stream_id } = testServer.realm.read.channels.findBy("name", "sandbox")!;
  await testServer.request("olga", `PATCH /messages/${id}`, { stream_id });
  const listener = await testServer.listen("olga");
  responses();
  const [received] = await messageUpdates(listener);
  expect(received).toMatchObject({ rendering_only: true, stream_id, stream_name: "sandbox" });
});

test("fetches nothing for bots, in quotes, or if the organization disabled previews", async () => {
  await post("bot", `${url}/a`);
  await post("bo", `> ${url}/a`);
  await testServer.request("olga", "PATCH /realm", { inline_url_embed_preview: false });
  const id = await post("bo", `${url}/a`);
  await untilJobsDone();
  expect(requests).toEqual([]);
  expect(await htmlOf(id)).toBe(`<p>${link("/a")}</p>`);
});

test("respects the setting if it is disabled during a fetch", async () => {
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  await until(() => requests.length > 0);
  await testServer.request("olga", "PATCH /realm", { inline_url_embed_preview: false });
  responses();
  await untilJobsDone();
  expect(await htmlOf(id)).toBe(`<p>${link("/a")}</p>`);
});

test("fetches waiting pages after a restart", async () => {
  await testServer.realm.write((tx) =>
    tx.enqueue("fetch previews", 0, { message_id: 0, urls: [] }),
  );
  const responses = holdResponses();
  const id = await post("bo", `${url}/a`);
  await until(() => requests.length > 0);
  setTimeout(responses, 10);
  await testServer.restart();
  await untilJobsDone();
  expect(await htmlOf(id)).toContain(embedHtml("/a"));
});

test("does not fetch internal pages, unless the operator allows it", async () => {
  const strictServer = await startTestServer();
  await strictServer.request("olga", "PATCH /realm", { inline_url_embed_preview: true });
  const message = { type: "stream", to: "general", topic: "news", content: `${url}/a` };
  await strictServer.request("bo", "POST /messages", message);
  await until(() => [...strictServer.realm.read.due.range()].length <= 0);
  expect(strictServer.realm.read.linked_pages.count()).toBe(1);
  expect(requests).toEqual([]);
  await strictServer.close();
});

test("does not delay other jobs because of a slow page", async () => {
  const responses = holdResponses();
  await post("bo", `${url}/a`);
  await until(() => requests.length > 0);
  const message_id = await post("bo", "remember");
  const scheduled_delivery_timestamp = testServer.realm.read.now + 100;
  await testServer.request("cy", "POST /reminders", { message_id, scheduled_delivery_timestamp });
  const listener = await testServer.listen("cy");
  testServer.clock.passSeconds(100);
  await post("ada", `${url}/b`);
  let event: Json;
  do event = await listener.next();
  while (event.type !== "reminders");
  await until(() => requests.length > 1);
  responses();
  await untilJobsDone();
});
