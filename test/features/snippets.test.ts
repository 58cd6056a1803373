// Saved snippets: texts that a user stores for reuse.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /saved_snippets";
const save = async (name: Name, title: string, content: string) =>
  (await testServer.request(name, POST, { title, content })).saved_snippet_id as number;
const listSnippets = async (name: Name) =>
  (await testServer.request(name, "GET /saved_snippets")).saved_snippets;

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

test("creates, changes and deletes a snippet, with events only to the owner", async () => {
  const saved = await staysInSync(testServer, ["bo", "cy"], () =>
    save("bo", " Hello ", " welcome "),
  );
  const id = saved.result;
  const snippet = { id, title: "Hello", content: "welcome", date_created: expect.any(Number) };
  expect(saved.events.bo).toMatchObject([
    { type: "saved_snippets", op: "add", saved_snippet: snippet },
  ]);
  expect(saved.events.cy).toEqual([]);
  expect(await listSnippets("bo")).toEqual([snippet]);
  expect(await listSnippets("cy")).toEqual([]);

  const line = `PATCH /saved_snippets/${id}`;
  const renamed = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", line, { title: "Hi" }),
  );
  expect(renamed.events.bo).toMatchObject([
    { op: "update", saved_snippet: { ...snippet, title: "Hi" } },
  ]);
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", line, { content: "come in" }),
  );
  for (const same of [{}, { title: "Hi", content: "come in" }]) {
    const { events } = await staysInSync(testServer, ["bo"], () =>
      testServer.request("bo", line, same),
    );
    expect(events.bo).toEqual([]);
  }
  expect(await listSnippets("bo")).toEqual([{ ...snippet, title: "Hi", content: "come in" }]);

  const removal = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `DELETE /saved_snippets/${id}`),
  );
  expect(removal.events.bo).toMatchObject([{ op: "remove", saved_snippet_id: id }]);
  expect(await listSnippets("bo")).toEqual([]);
});

test("requires a title and content within the limits", async () => {
  const id = await save("bo", "t".repeat(60), "words");
  const cases: [Params, errors.Refusal][] = [
    [{ title: " ", content: "x" }, messageErrors.tooShort("title")],
    [{ title: "x", content: "\n" }, messageErrors.tooShort("content")],
    [{ title: "t".repeat(61), content: "x" }, channelErrors.tooLong("title", 60)],
    [{ title: "x", content: "c".repeat(10_001) }, channelErrors.tooLong("content", 10_000)],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, "bo", POST, wrong);
    await expectRefused(refusal, "bo", `PATCH /saved_snippets/${id}`, wrong);
  }
  await expectRefused(errors.missingParameter("content"), "bo", POST, { title: "x" });
  expect(await listSnippets("bo")).toMatchObject([{ id, content: "words" }]);
});

test("rejects changes of another user's snippet, or a missing one", async () => {
  const id = await save("bo", "mine", "words");
  for (const [name, method] of [
    ["cy", id],
    ["bo", 9999],
  ] as const) {
    await expectRefused(messageErrors.snippetNotFound(), name, `DELETE /saved_snippets/${method}`);
    const change = { title: "ours" };
    await expectRefused(
      messageErrors.snippetNotFound(),
      name,
      `PATCH /saved_snippets/${method}`,
      change,
    );
  }
});
