// Encodings and content types of incoming webhooks, and rejected payloads.
import { afterAll, beforeAll, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import {
  type Json,
  formOf,
  startTestServer,
  type Params,
  type TestServer,
} from "../test-server.ts";

const JSON_HOOK = "/external/json";
const SLACK_HOOK = "/external/slack_incoming";
const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };

let testServer: TestServer;
let api_key: string;
beforeAll(async () => {
  testServer = await startTestServer();
  const bot = { full_name: "payloads", short_name: "payloads", bot_type: 2 };
  ({ api_key } = await testServer.request("bo", "POST /bots", bot));
});
afterAll(() => testServer.close());

/** Text is sent as UTF-8; other bodies than text and bytes as JSON. */
function post(path: string, body: unknown, headers: Params = JSON_TYPE, query: Params = {}) {
  const address = `${testServer.url}/api/v1${path}?${formOf({ api_key, ...query })}`;
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const sent = isRaw ? (body as string) : JSON.stringify(body);
  return fetch(address, { method: "POST", headers: { ...headers } as HeadersInit, body: sent });
}

async function expectRefused(refusal: errors.Refusal, answer: Promise<Response>): Promise<void> {
  const response = await answer;
  const body = (await response.json()) as Json;
  const { errCode: code, status, message: msg } = refusal;
  expect({ status: response.status, code: body.code, msg: body.msg }).toEqual({
    status,
    code,
    msg,
  });
}

test("returns INVALID_JSON with a reason for invalid JSON", async () => {
  const empty = refusals.payloadMalformed("the payload is empty");
  for (const body of ["", " ", "\uFEFF"]) await expectRefused(empty, post(JSON_HOOK, body));
  const malformed = refusals.payloadMalformed("the payload is not valid JSON");
  for (const body of ["no JSON", '{"a"', "payload=%7B"]) {
    await expectRefused(malformed, post(JSON_HOOK, body));
  }
  await expectRefused(malformed, post(JSON_HOOK, "payload=%7B", FORM_TYPE));
  const nested = refusals.payloadMalformed("it is nested deeper than 100 levels");
  await expectRefused(nested, post(JSON_HOOK, "[".repeat(200) + "]".repeat(200)));
  const why = "it is neither UTF-8 nor UTF-16 with a byte order mark";
  const bytes = new Uint8Array([0x22, 0xff, 0x22]);
  await expectRefused(refusals.payloadMalformed(why), post(JSON_HOOK, bytes));
  await expectRefused(errors.bodyTooLarge(), post(JSON_HOOK, `"${"x".repeat(1_300_000)}"`));
});

test("rejects a Slack message without content, and says what is missing", async () => {
  const missing = 'none of "text", "blocks" and "attachments" has any content to show';
  for (const body of [{}, { text: "" }, { text: null }, { text: " ", attachments: [{}] }]) {
    const refusal = refusals.payloadAnomalous("slack_incoming", missing);
    await expectRefused(refusal, post(SLACK_HOOK, body));
  }
  for (const body of [[], 3, null]) {
    const refusal = refusals.payloadAnomalous("slack_incoming", "it is not a JSON object");
    await expectRefused(refusal, post(SLACK_HOOK, body));
  }
});

test("reads JSON and forms without a content type, and with a byte order mark", async () => {
  const json = JSON.stringify({ text: "größer" });
  const payload = encodeURIComponent(`\uFEFF${json}`);
  const utf16 = Buffer.from(`\uFEFF${json}`, "utf16le");
  const bodies: [string | Uint8Array, Params][] = [
    [new TextEncoder().encode(json), {}],
    [`\uFEFF${json}`, JSON_TYPE],
    [json, FORM_TYPE],
    [`payload=${payload}`, FORM_TYPE],
    [new TextEncoder().encode(`payload=${payload}`), {}],
    [new Uint8Array(utf16), {}],
    [new Uint8Array(utf16).map((_, index, all) => all[index ^ 1]!), {}],
  ];
  for (const [index, [body, headers]] of bodies.entries()) {
    const topic = `encoding ${index}`;
    const response = await post(SLACK_HOOK, body, headers, { stream: "general", topic });
    expect([index, response.status]).toEqual([index, 200]);
    const params = { anchor: "newest", num_before: 1, num_after: 0, apply_markdown: false };
    const { messages } = await testServer.request("bo", "GET /messages", params);
    expect(messages[0]).toMatchObject({ content: "größer", subject: topic });
  }
});
