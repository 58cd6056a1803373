// Two spellings of a topic: each message keeps its own, and lists show the newest.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type ChannelFixture, openChannelFixture } from "./channel-fixture.ts";

let fixture: ChannelFixture;
beforeEach(async () => {
  fixture = await openChannelFixture();
});
afterEach(() => fixture.testServer.close());

const post = (topic: string, requester: Name = "bo", to = fixture.garden) =>
  fixture.post(requester, to, "words", topic);
const subjectsOf = async (ids: readonly number[], requester: Name = "bo") => {
  const params = { message_ids: JSON.stringify(ids) };
  const { messages } = await fixture.testServer.request(requester, "GET /messages", params);
  return messages.map(({ subject }: { subject: string }) => subject);
};
const listTopics = async (requester: Name = "bo", stream_id = fixture.garden) =>
  (await fixture.topicsIn(requester, stream_id)).map(({ name }: { name: string }) => name);

test("keeps each message's spelling, and shows the newest in lists", async () => {
  const { events } = await staysInSync(fixture.testServer, ["cy"], async () => {
    for (const topic of ["Tea", "tea", "TEA", "Tea"]) await post(topic);
  });
  const received = events
    .cy!.filter(({ type }) => type === "message")
    .map((event) => event["message"]);
  expect(received.map(({ subject }) => subject)).toEqual(["Tea", "tea", "TEA", "Tea"]);
  const ids: number[] = received.map(({ id }) => id);
  expect(await subjectsOf(ids, "cy")).toEqual(["Tea", "tea", "TEA", "Tea"]);
  expect(await listTopics("cy")).toEqual(["Tea", "first"]);
  const last = await post("teA");
  expect(await listTopics("cy")).toEqual(["teA", "first"]);
  const { topics } = await fixture.testServer.request("cy", "GET /users/me/topics/recent");
  expect(topics[0]).toMatchObject({ topic: "teA", max_id: last, count: 5 });

  const narrow = JSON.stringify([{ operator: "search", operand: "tea" }]);
  const params = { anchor: "oldest", num_before: 0, num_after: 9, narrow };
  const { messages } = await fixture.testServer.request("cy", "GET /messages", params);
  const highlighted = (word: string) => `<span class="highlight">${word}</span>`;
  expect(messages.map(({ match_subject }: { match_subject: string }) => match_subject)).toEqual(
    ["Tea", "tea", "TEA", "Tea", "teA"].map(highlighted),
  );
  await fixture.testServer.restart();
  expect(await subjectsOf([...ids, last], "cy")).toEqual(["Tea", "tea", "TEA", "Tea", "teA"]);

  // The newest remaining message decides the spelling.
  await fixture.testServer.request("olga", `DELETE /messages/${last}`);
  await fixture.testServer.request("olga", `DELETE /messages/${ids[3]}`);
  expect(await listTopics()).toEqual(["TEA", "first"]);
});

test("hides the newest spelling from users who cannot read that message", async () => {
  await fixture.setRealm({ message_edit_history_visibility_policy: "all" });
  const first = await post("Beds", "mo", fixture.vault);
  const parted = { delete: JSON.stringify(["vault"]) };
  await fixture.testServer.request("bo", "PATCH /users/me/subscriptions", parted);
  await post("BEDS", "mo", fixture.vault);
  const repeated = {
    subscriptions: '[{"name":"vault"}]',
    principals: `[${fixture.testServer.idOf("bo")}]`,
  };
  await fixture.testServer.request("mo", "POST /users/me/subscriptions", repeated);
  expect(await fixture.topicsIn("mo", fixture.vault)).toMatchObject([{ name: "BEDS" }, {}]);
  expect(await fixture.topicsIn("bo", fixture.vault)).toMatchObject([
    { name: "Beds", max_id: first },
    {},
  ]);
});

test("changes the spelling of the whole topic at a rename", async () => {
  const ids = [await post("Tea"), await post("tea"), await post("TEA")];
  const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
    fixture.move("cy", ids[1]!, { topic: "Mint", propagate_mode: "change_all" }),
  );
  expect(events.cy).toMatchObject([{ orig_subject: "tea", subject: "Mint", message_ids: ids }]);
  const laterId = await post("MINT");
  expect(await subjectsOf([...ids, laterId])).toEqual(["Mint", "Mint", "Mint", "MINT"]);
  const spellingBefore = async (id: number) =>
    (await fixture.getMessage("bo", id)).edit_history?.map(
      (item: Record<string, string>) => item["prev_topic"],
    );
  expect(await Promise.all([...ids, laterId].map(spellingBefore))).toEqual([
    ["Tea"],
    ["tea"],
    ["TEA"],
    undefined,
  ]);
  // The same is true of messages whose records are rewritten, and of those renamed again.
  await fixture.testServer.request("bo", `PATCH /messages/${ids[1]}`, { content: "other words" });
  await fixture.testServer.request("bo", `POST /messages/${ids[2]}/reactions`, {
    emoji_name: "tada",
  });
  expect(await subjectsOf([...ids, laterId])).toEqual(["Mint", "Mint", "Mint", "MINT"]);
  await fixture.move("cy", ids[0]!, { topic: "✔ mint", propagate_mode: "change_all" });
  expect(await subjectsOf([...ids, laterId])).toEqual(Array(4).fill("✔ mint"));
  expect(await Promise.all([...ids, laterId].map(spellingBefore))).toEqual([
    ["Mint", "Tea"],
    ["Mint", undefined, "tea"],
    ["Mint", "TEA"],
    ["MINT"],
  ]);
  const { message_history } = await fixture.testServer.request(
    "bo",
    `GET /messages/${ids[1]}/history`,
  );
  expect(message_history.map(({ topic }: { topic: string }) => topic)).toEqual([
    "tea",
    "Mint",
    "Mint",
    "✔ mint",
  ]);
});

test("uses the requested spelling for moved messages, and keeps that of the rest", async () => {
  const ids = [await post("Tea"), await post("tea"), await post("TEA")];
  // Another message of the topic has a different spelling.
  const changeOne = { propagate_mode: "change_one" };
  await staysInSync(fixture.testServer, ["gus"], () =>
    fixture.move("cy", ids[0]!, { topic: "tEA", ...changeOne }),
  );
  expect(await subjectsOf(ids)).toEqual(["tEA", "tea", "TEA"]);
  expect(await listTopics()).toEqual(["TEA", "first"]);
  await staysInSync(fixture.testServer, ["gus"], () =>
    fixture.move("cy", ids[2]!, { topic: "teA", ...changeOne }),
  );
  expect(await subjectsOf(ids)).toEqual(["tEA", "tea", "teA"]);
  expect(await listTopics()).toEqual(["teA", "first"]);
  // Moves some messages into an existing topic.
  const beds = [await post("Beds"), await post("beds")];
  await fixture.move("cy", ids[1]!, { topic: "BEDS", propagate_mode: "change_later" });
  expect(await subjectsOf([...ids, ...beds])).toEqual(["tEA", "BEDS", "BEDS", "Beds", "beds"]);
  expect(await listTopics()).toEqual(["beds", "tEA", "first"]);
  await fixture.testServer.request("olga", `DELETE /messages/${await post("BEDs")}`);
  expect(await listTopics()).toEqual(["beds", "tEA", "first"]);
  // Moves them to another channel under the same name; each keeps its spelling.
  const moveParams = { stream_id: fixture.kitchen, propagate_mode: "change_all" };
  const { events } = await staysInSync(fixture.testServer, ["cy"], () =>
    fixture.move("bo", beds[0]!, moveParams),
  );
  expect(events.cy!.filter(({ type }) => type === "update_message")).toMatchObject([
    { orig_subject: "Beds", new_stream_id: fixture.kitchen },
  ]);
  expect(await subjectsOf([...ids, ...beds])).toEqual(["tEA", "BEDS", "BEDS", "Beds", "beds"]);
  expect(await listTopics("bo", fixture.kitchen)).toEqual(["beds", "first"]);
  expect((await fixture.getMessage("bo", ids[1]!)).edit_history).toMatchObject([
    { prev_stream: fixture.garden, stream: fixture.kitchen },
    { prev_topic: "tea", topic: "BEDS" },
  ]);
});

test("uses the spelling of older moved messages when newer ones are deleted", async () => {
  const movedId = await post("Tea");
  const newest = await post("Beds");
  await fixture.move("cy", movedId, { topic: "BEDS", propagate_mode: "change_one" });
  expect(await listTopics()).toEqual(["Beds", "first"]);
  await fixture.testServer.request("olga", `DELETE /messages/${newest}`);
  expect(await listTopics()).toEqual(["BEDS", "first"]);
});

test("resolves and unresolves a topic by any of its spellings", async () => {
  const ids = [await post("Tea"), await post("tea")];
  await fixture.move("cy", ids[0]!, { topic: "✔ tea", propagate_mode: "change_all" });
  expect(await subjectsOf(ids)).toEqual(["✔ tea", "✔ tea"]);
  expect((await fixture.getMessage("bo", ids[0]!)).last_moved_timestamp).toBe(undefined);
});
