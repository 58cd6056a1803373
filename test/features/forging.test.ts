// Messages that say when they were sent, for programs that copy them from elsewhere.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mirroredMessageInvalid } from "../../src/errors-messages.ts";
import { notAuthorizedForQuery } from "../../src/errors.ts";
import type { Name } from "../cast.ts";
import { staysInSync } from "../sync.ts";
import { openTown, type Params, type Town } from "../town.ts";

let town: Town;
beforeAll(async () => {
  town = await openTown();
  await town.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(town.idOf("ada"))!, can_forge_sender: true });
  });
});
afterAll(() => town.close());

const said = (params: Params) => ({
  type: "stream",
  to: "general",
  topic: "old times",
  content: "as it was",
  ...params,
});
const send = (who: Name, params: Params) => town.ask(who, "POST /messages", said(params));
const timeOf = async (id: number) =>
  (await town.ask("bo", `GET /messages/${id}`)).message.timestamp as number;

test("who may says when a message was sent, to the second", async () => {
  const { result, heard } = await staysInSync(town, ["ada", "bo"], () =>
    send("ada", { forged: "yes", time: 1_000_000_000.75 }),
  );
  expect(await timeOf(result.id)).toBe(1_000_000_000);
  expect(heard.bo![0]!["message"].timestamp).toBe(1_000_000_000);
  const { id } = await send("ada", { forged: "true", time: 5 });
  expect(await timeOf(id)).toBe(5);
});

test("without both, a message is of now", async () => {
  for (const params of [{ time: 5 }, { forged: "yes" }, { forged: "no", time: 5 }]) {
    const { id } = await send("ada", params);
    expect(await timeOf(id)).toBeGreaterThan(1_700_000_000);
  }
});

test.each<[Name, Params, string]>([
  ["bo", { forged: "yes" }, notAuthorizedForQuery().message],
  ["bo", { forged: "true", time: 5, sender: "x" }, notAuthorizedForQuery().message],
  ["bo", { sender: "cy@example.com" }, mirroredMessageInvalid().message],
  ["ada", { sender: "cy@example.com", forged: "yes" }, mirroredMessageInvalid().message],
  ["ada", { forged: "yes", time: -1 }, "time is too small"],
  ["ada", { forged: "yes", time: "soon" }, "time is not valid JSON"],
])("%s is refused %j", async (who, params, msg) => {
  const refused = await town.refused(who, "POST /messages", said(params));
  expect(refused).toMatchObject({ status: 400, code: "BAD_REQUEST", msg });
});
