// Custom emoji are uploaded, shown in messages and reactions, and deactivated.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";
import { bomb, movingGif, movingPng, post, read, striped } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const picture = { name: "x.png", bytes: striped(120, 80), type: "image/png" };
const make = (requester: Name, name: string, file = picture) =>
  post(testServer, requester, `POST /realm/emoji/${encodeURIComponent(name)}`, [file]);
const listEmoji = async () => (await testServer.request("gus", "GET /realm/emoji")).emoji;
const send = async (content: string) =>
  (
    await testServer.request("bo", "POST /messages", {
      type: "direct",
      to: [testServer.idOf("cy")],
      content,
    })
  ).id;
const react = (requester: Name, id: number, params: Params) =>
  testServer.request(requester, `POST /messages/${id}/reactions`, params);

function isRefusal(response: unknown, { errCode: code, status, message: msg }: errors.Refusal) {
  expect(response).toMatchObject({ status, code, msg });
}

test("sends a new emoji to everyone, with a small square image", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "gus"], () =>
    make("bo", "green tea"),
  );
  expect(result.status).toBe(200);
  expect(events.gus).toMatchObject([{ type: "realm_emoji", op: "add" }]);
  const { emoji } = events.gus![0]!;
  expect(emoji).toEqual({
    id: "1",
    name: "green_tea",
    source_url: emoji.source_url,
    still_url: null,
    deactivated: false,
    author_id: testServer.idOf("bo"),
  });
  expect(await listEmoji()).toEqual({ 1: emoji });
  const response = await read(testServer, null, emoji.source_url);
  expect(response.headers.get("content-type")).toBe("image/webp");
  expect(response.headers.get("cache-control")).toContain("immutable");
  const { width, height } = await new Bun.Image(await response.bytes()).metadata();
  expect([width, height]).toEqual([64, 64]);
});

test("keeps an animation unchanged, with a still image", async () => {
  await make("bo", "spin", { name: "x.gif", bytes: movingGif(), type: "image/gif" });
  const { source_url, still_url } = Object.values(await listEmoji()).at(-1) as Record<
    string,
    string
  >;
  expect(await (await read(testServer, null, source_url!)).bytes()).toEqual(movingGif());
  expect((await read(testServer, null, still_url!)).headers.get("content-type")).toBe("image/webp");
  const large = new Uint8Array(1.1 * 2 ** 20);
  large.set(movingGif());
  const refusal = await make("bo", "large", { name: "x.gif", bytes: large, type: "image/gif" });
  isRefusal(refusal, realmErrors.pictureTooLarge(1));
});

test("keeps only the first frame of an animation with too many pixels", async () => {
  await make("bo", "vast", { name: "x.png", bytes: movingPng(4_000_001), type: "image/png" });
  const { still_url } = Object.values(await listEmoji()).at(-1) as Record<string, string>;
  expect(still_url).toBeNull();
});

test("renders it in the description of a channel", async () => {
  await make("bo", "harbour");
  const { source_url } = Object.values(await listEmoji()).at(-1) as Record<string, string>;
  const created = { name: "port", description: "by the :harbour:", subscribers: [] };
  const { id } = await testServer.request("olga", "POST /channels/create", created);
  const emojiHtml = `<img alt=":harbour:" class="emoji" src="${source_url}" title="harbour">`;
  const { stream } = await testServer.request("olga", `GET /streams/${id}`);
  expect(stream.rendered_description).toBe(`<p>by the ${emojiHtml}</p>`);
});

test("renders it in messages, reactions and statuses", async () => {
  await make("bo", "green_tea");
  const [id, { source_url }] = [1, (await listEmoji())[1]];
  const message_id = await send("a cup of :green_tea:");
  const { message } = await testServer.request("cy", `GET /messages/${message_id}`);
  const img = `<img alt=":green_tea:" class="emoji" src="${source_url}" title="green tea">`;
  expect(message.content).toBe(`<p>a cup of ${img}</p>`);
  await react("cy", message_id, { emoji_name: "green_tea" });
  const reacted = (await testServer.request("cy", `GET /messages/${message_id}`)).message.reactions;
  expect(reacted).toMatchObject([{ emoji_code: String(id), reaction_type: "realm_emoji" }]);
  await testServer.request("cy", "POST /users/me/status", { emoji_name: "green_tea" });
  const { status } = await testServer.request("bo", `GET /users/${testServer.idOf("cy")}/status`);
  expect(status).toMatchObject({ emoji_name: "green_tea", reaction_type: "realm_emoji" });
});

test("serves the built-in emoji and the loading image where messages expect them", async () => {
  const { rendered } = await testServer.request("bo", "POST /messages/render", {
    content: ":zulip:",
  });
  const [, path] = /src="([^"]+)"/.exec(rendered)!;
  expect(path).toBe("/static/generated/emoji/images/emoji/unicode/zulip.png");
  const response = await testServer.send(
    null,
    "GET //static/generated/emoji/images/emoji/unicode/zulip.png",
  );
  expect(response.headers.get("content-type")).toBe("image/png");
  const { width, height } = await new Bun.Image(await response.bytes()).metadata();
  expect([width, height]).toEqual([64, 64]);
  const loading = await testServer.send(null, "GET //static/images/loading/loader-black.svg");
  expect(loading.headers.get("content-type")).toBe("image/svg+xml");
  expect(await loading.text()).toStartWith("<svg ");
});

test("lets its creator or an administrator deactivate it", async () => {
  await make("bo", "sundown_x");
  const id = Object.keys(await listEmoji()).at(-1)!;
  const message_id = await send(":sundown_x:");
  await react("bo", message_id, { emoji_name: "sundown_x" });
  const line = "DELETE /realm/emoji/sundown_x";
  isRefusal(await testServer.refused("cy", line), realmErrors.customEmojiNotOwn());
  const { events } = await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("bo", line),
  );
  expect(events.gus).toMatchObject([
    { type: "realm_emoji", op: "update_one", emoji_id: id, data: { deactivated: true } },
  ]);
  expect((await listEmoji())[id]).toMatchObject({ name: "sundown_x", deactivated: true });
  expect((await testServer.request("cy", `GET /messages/${message_id}`)).message.content).toContain(
    "<img",
  );
  isRefusal(await testServer.refused("bo", line), realmErrors.customEmojiNotFound("sundown_x"));
  const request = { emoji_name: "sundown_x", emoji_code: id, reaction_type: "realm_emoji" };
  const other = await send(":sundown_x:");
  const tryUpload = (params: Params) =>
    testServer.refused("cy", `POST /messages/${other}/reactions`, { ...request, ...params });
  isRefusal(await tryUpload({}), realmErrors.customEmojiDeactivated());
  isRefusal(await tryUpload({ emoji_name: "sunup_x" }), realmErrors.customEmojiNameInvalid());
  isRefusal(await tryUpload({ emoji_code: "999" }), messageErrors.customEmojiInvalid());
  await react("cy", message_id, request);
  expect((await make("cy", "sundown_x")).status).toBe(200);
  await testServer.request("ada", line);
});

test("rejects an invalid name or file", async () => {
  await make("bo", "green_tea");
  isRefusal(await make("bo", "green_tea"), realmErrors.customEmojiNameTaken());
  isRefusal(await make("bo", "smile"), realmErrors.customEmojiOverrides());
  isRefusal(await make("bo", "zulip"), realmErrors.customEmojiOverrides());
  for (const shadow of ["work in progress", "festive", "thumbsup"]) {
    isRefusal(await make("bo", shadow), realmErrors.customEmojiOverrides());
  }
  isRefusal(await make("bo", "Tea"), realmErrors.customEmojiNameMalformed());
  isRefusal(await make("bo", "tea!"), realmErrors.customEmojiNameMalformed());
  isRefusal(await make("bo", "tea-"), realmErrors.customEmojiNameEnds());
  isRefusal(await make("gus", "our_brew"), errors.guestsNotAllowed());
  isRefusal(await make("bot", "our_brew"), errors.botsNotAllowed());
  const uploadWithFiles = (...files: (typeof picture)[]) =>
    post(testServer, "bo", "POST /realm/emoji/our_brew", files);
  isRefusal(await uploadWithFiles(), realmErrors.pictureNotSingle("file"));
  isRefusal(await uploadWithFiles(picture, picture), realmErrors.pictureNotSingle("file"));
  const text = { ...picture, bytes: new Uint8Array(Buffer.from("text")) };
  isRefusal(await uploadWithFiles(text), realmErrors.badImage());
  isRefusal(await uploadWithFiles({ ...picture, bytes: bomb() }), realmErrors.imageTooLarge());
  const large = { ...picture, bytes: new Uint8Array(5 * 2 ** 20 + 1) };
  isRefusal(await uploadWithFiles(large), realmErrors.pictureTooLarge(5));

  const nobody = testServer.realm.read.groups.findBy("name", "role:nobody")!.id;
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, can_add_custom_emoji_group: nobody };
    tx.realm.put({ ...realm, settings });
  });
  isRefusal(await make("ada", "our_brew"), channelErrors.insufficientPermission());
});
