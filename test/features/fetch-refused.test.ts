// Errors of message requests: bad anchors, bad narrows and missing access.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
// These requests change nothing, so all tests share a test server.
beforeAll(async () => {
  testServer = await startTestServer();
  const channel = { name: "vault", subscribers: [testServer.idOf("bo")], invite_only: true };
  await testServer.request("bo", "POST /channels/create", channel);
});
afterAll(() => testServer?.close());

const request = (params: Params) => testServer.refused("cy", "GET /messages", params);

describe("a window", () => {
  const windows: [string, errors.Refusal, Params][] = [
    ["Missing 'anchor' argument.", messageErrors.anchorMissing(), {}],
    ["Invalid anchor", channelErrors.invalidValue("anchor"), { anchor: "soon" }],
    ["Invalid anchor", channelErrors.invalidValue("anchor"), { anchor: "1.5" }],
    ["Missing 'anchor_date' argument", errors.missingParameter("anchor_date"), { anchor: "date" }],
    ...["yesterday", "2026-02-30", "2026-04-31", "2026-02-31T10:00", "2026-02-30T10:00+02:00"].map(
      (anchor_date): [string, errors.Refusal, Params] => [
        "anchor_date is not a date",
        messageErrors.anchorDateInvalid(),
        { anchor: "date", anchor_date },
      ],
    ),
    [
      "The anchor can only be excluded at an end of the range",
      messageErrors.anchorNotAtEnd(),
      { anchor: 1, num_before: 2, num_after: 2, include_anchor: false },
    ],
    [
      "Too many messages requested (maximum 5000).",
      messageErrors.messagesTooMany(5000),
      { anchor: 1, num_before: 5000, num_after: 1 },
    ],
    ["num_before is too small", errors.malformed("num_before is too small"), { num_before: -1 }],
    [
      "Unsupported parameter combination: message_ids, anchor",
      messageErrors.parametersNotTogether("message_ids, anchor"),
      { message_ids: [1], anchor: "newest" },
    ],
  ];
  for (const [msg, refusal, params] of windows) {
    test(`${msg} ${JSON.stringify(params)}`, async () => {
      expect(refusal.message).toBe(msg);
      expect(await request(params)).toMatchObject({
        status: 400,
        code: refusal.errCode!,
        msg,
        ...refusal.extra,
      });
    });
  }
});

describe("a term", () => {
  const terms: [string, errors.Refusal, unknown][] = [
    ["Invalid narrow[0]: not an object", messageErrors.narrowTermInvalid(0, "not an object"), 1],
    [
      "Invalid narrow[0]: not a pair of strings",
      messageErrors.narrowTermInvalid(0, "not a pair of strings"),
      ["is", 1],
    ],
    [
      "Invalid narrow[0]: operator is missing",
      messageErrors.narrowTermInvalid(0, "operator is missing"),
      { operand: "x" },
    ],
    [
      "Invalid narrow[0]: operand is missing",
      messageErrors.narrowTermInvalid(0, "operand is missing"),
      { operator: "is" },
    ],
    [
      "operand is not a string",
      messageErrors.operandTypeInvalid("a string"),
      { operator: "is", operand: 3 },
    ],
    [
      "operand is not a string or integer",
      messageErrors.operandTypeInvalid("a string or integer"),
      { operator: "channel", operand: [] },
    ],
    [
      "operand is not a string or an integer list",
      messageErrors.operandTypeInvalid("a string or an integer list"),
      { operator: "dm", operand: 3 },
    ],
  ];
  for (const [msg, refusal, term] of terms) {
    test(msg, async () => {
      expect(refusal.message).toBe(msg);
      const response = await request({ anchor: 1, narrow: [term] });
      expect(response).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
    });
  }

  test("rejects a narrow that is not a list", async () => {
    expect((await request({ anchor: 1, narrow: {} })).msg).toBe("narrow is not a list");
  });
});

describe("a narrow", () => {
  const narrows: [string, string, unknown][] = [
    ["unknown operator flavour", "flavour", "x"],
    ["unknown channel nowhere", "channel", "nowhere"],
    ["unknown channel vault", "channel", "vault"],
    ["unknown channels operand loud", "channels", "loud"],
    ["unknown user no@example.com", "sender", "no@example.com"],
    ["unknown user 999999", "dm-including", 999_999],
    ["unknown user in [999999]", "dm", [999_999]],
    ["unknown 'is' operand loud", "is", "loud"],
    ["unknown 'in' operand loud", "in", "loud"],
    ["Invalid message ID", "id", "x"],
    ["Invalid 'with' operator", "with", "x"],
    ["Invalid 'with' operator", "with", 999_999],
  ];
  for (const [desc, operator, operand] of narrows) {
    test(`${operator}: ${desc}`, async () => {
      const msg = `Invalid narrow operator: ${desc}`;
      expect(messageErrors.badNarrow(desc).message).toBe(msg);
      const response = await request({ anchor: 1, narrow: [{ operator, operand }] });
      expect(response).toMatchObject({ status: 400, code: "BAD_NARROW", desc, msg });
    });
  }

  test("that cannot match anything", async () => {
    const dm = { operator: "is", operand: "dm" };
    const narrow = [dm, { operator: "channel", operand: "general" }];
    const desc = "No message can be both a channel message and direct message";
    const { message } = messageErrors.badNarrowCombination(desc);
    const response = await request({ anchor: 1, narrow });
    expect(response).toMatchObject({ code: "BAD_NARROW", desc, msg: message });
    expect(message).toBe(`Invalid narrow operator combination: ${desc}`);
    const twice = [1, 2].map((operand) => ({ operator: "with", operand }));
    expect((await request({ anchor: 1, narrow: twice }))["desc"]).toBe(
      "Duplicate 'with' operators.",
    );
  });
});

test("rejects callers without an account", async () => {
  const { status, code } = await testServer.refused(null, "GET /messages", { anchor: "newest" });
  expect([status, code]).toEqual([401, "UNAUTHENTICATED_USER"]);
});
