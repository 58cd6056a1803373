// Look-alike names of channels and groups count as the same name.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import type { Refusal } from "../../src/contract/errors/general.ts";
import { comparedName } from "../../src/text/compare-names.ts";
import { writtenName } from "../../src/text/input/normalize-name.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

async function expectRefused(refusal: Refusal, line: string, params: Params) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused("bo", line, params)).toMatchObject({ status, code, msg });
}

/** Variants of "Café Straße": other case, decomposed, and with invisible characters in between. */
const LOOKALIKES = [
  "CAFÉ STRASSE",
  "Cafe\u0301 Straße",
  "Caf\u200bé Stra\u200dße",
  "\u202eCafé\u200f Straße\u2066",
  "Café \ufeffStraße",
  "Ca\u00adfé Straße\ufe0f",
];

test.each(LOOKALIKES)("rejects a channel named %j beside its namesake", async (name) => {
  const params = { name: "Café Straße", subscribers: [testServer.idOf("bo")] };
  const { id } = await testServer.request("bo", "POST /channels/create", params);
  const line = "POST /channels/create";
  const nameTaken = channelErrors.channelNameTaken(writtenName(name));
  await expectRefused(nameTaken, line, { ...params, name });
  const { stream_id } = await testServer.request("bo", "GET /get_stream_id", { stream: name });
  expect(stream_id).toBe(id);
  const other = (await testServer.request("bo", line, { ...params, name: "Elsewhere" })).id;
  const rename = `PATCH /streams/${other}`;
  await expectRefused(channelErrors.channelRenamedToTaken(), rename, { new_name: name });
});

test.each(LOOKALIKES)("rejects a group named %j", async (name) => {
  const line = "POST /user_groups/create";
  const params = { name: "Café Straße", description: "", members: [testServer.idOf("bo")] };
  await testServer.request("bo", line, params);
  await expectRefused(channelErrors.groupNameTaken(name), line, { ...params, name });
});

test("rejects names of invisible characters, and look-alikes of system groups", async () => {
  const subscribers = [testServer.idOf("bo")];
  const channel = { name: "\u200b\u2060", subscribers };
  await expectRefused(channelErrors.channelNameEmpty(), "POST /channels/create", channel);
  const group = { description: "", members: subscribers };
  const line = "POST /user_groups/create";
  await expectRefused(channelErrors.groupNameEmpty(), line, { ...group, name: "\u200d" });
  const lookalike = { ...group, name: "RO\u200bLE:owners" };
  await expectRefused(channelErrors.groupNameBegins("role:"), line, lookalike);
});

test("accepts names that look different", async () => {
  for (const [first, other] of [
    ["straße", "strase"],
    ["cafe", "café"],
    ["ılık", "ilik"],
    ["тест", "тесть"],
  ] as const) {
    expect(comparedName(first)).not.toBe(comparedName(other));
  }
  expect(comparedName("ΟΔΟΣ")).toBe(comparedName("οδος"));
});

test("mentions a group in any letter case", async () => {
  const members = [testServer.idOf("cy")];
  const group = { name: "Gardeners", description: "", members };
  const { group_id } = await testServer.request("bo", "POST /user_groups/create", group);
  const content = "@*gardeners*";
  const { rendered } = await testServer.request("bo", "POST /messages/render", { content });
  const opening = `<span class="user-group-mention" data-user-group-id="${group_id}">`;
  expect(rendered).toBe(`<p>${opening}@Gardeners</span></p>`);
});
