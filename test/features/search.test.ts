// Search: which words match, for whom, and no stale results after changes.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import type { Name } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
  await makeChannel("kitchen", ["bo", "cy", "gus"]);
});
afterEach(() => testServer.close());

const channels = new Map<string, number>();

async function makeChannel(name: string, members: Name[], params: Params = {}): Promise<number> {
  const subscribers = members.map((member) => testServer.idOf(member));
  const created = await testServer.request("bo", "POST /channels/create", {
    name,
    subscribers,
    ...params,
  });
  channels.set(name, created.id);
  return created.id;
}

async function post(content: string, topic = "lunch", requester: Name = "bo", channel = "kitchen") {
  const to = { type: "stream", to: channels.get(channel), topic, content };
  return (await testServer.request(requester, "POST /messages", to)).id as number;
}

async function write(requester: Name, to: Name[], content: string): Promise<number> {
  const people = to.map((name) => testServer.idOf(name));
  return (
    await testServer.request(requester, "POST /messages", { type: "direct", to: people, content })
  ).id;
}

const term = (operator: string, operand: unknown, negated = false) => ({
  operator,
  operand,
  negated,
});

async function getMessages(requester: Name, narrow: Json[], params: Params = {}): Promise<Json[]> {
  const window = { anchor: "newest", num_before: 100, num_after: 0 };
  return (await testServer.request(requester, "GET /messages", { ...window, narrow, ...params }))
    .messages;
}

async function ids(requester: Name, narrow: Json[], params: Params = {}): Promise<number[]> {
  return (await getMessages(requester, narrow, params)).map((message) => message.id);
}

const search = (requester: Name, query: string, ...others: Json[]) =>
  ids(requester, [term("search", query), ...others]);

describe("a search finds", () => {
  const cases: [string, string, string[], string[]][] = [
    ["words in any form", "We deployed it", ["deployment", "DEPLOY it"], ["deployer we went"]],
    ["all words, in any order", "green tea and rice", ["rice tea", "the tea"], ["tea bread"]],
    ["words without their accents", "Crème brûlée à la carte", ["creme brulee", "BRÛLÉE"], []],
    ["the beginning of the last word", "Refrigerator", ["refrig", "refrig*"], ["refrig x"]],
    ["unfinished forms of a word", "mushrooming growth", ["mushroomi"], ["growthi mushroom"]],
    ["phrases", "salt **and** pepper, salt-and-vinegar", ['"salt-and-vinegar"'], ['"and salt"']],
    [
      "phrases entries are unchanged",
      "black **cherry** jam",
      ['"**cherry** jam"'],
      ['"cherry jam"'],
    ],
    [
      "Japanese",
      "大きな東京タワーへ行きました",
      ["東京", "東京タワー", "京", "行きました"],
      ["京東", "東タワー"],
    ],
    ["Chinese", "我们明天吃北京烤鸭", ["北京", "烤鸭", "北京 明天"], ["京北"]],
    ["Korean", "내일 학교에서 만나요", ["학교", "학교에서"], ["교학"]],
    ["Thai", "ไปกรุงเทพ", ["กรุงเทพ"], ["เทพกรุง"]],
    [
      "names with signs in them",
      "see grill_timer.py:42",
      ["grill_timer.py", "timer"],
      ["timer_grill"],
    ],
    ["what stands in code", "run `wok --hot` now", ["wok", "wok --hot"], []],
    ["the text of a link, not its address", "[menu](https://soup.example)", ["menu"], ["soup"]],
    ["parts of words that are no words", "Donaudampfschifffahrt", ["dampf", "schiff"], ["dampfer"]],
    ["the smallest words, where there is nothing else", "to be, or not", ["be to", '"or not"'], []],
  ];
  for (const [label, content, finding, missing] of cases) {
    test(label, async () => {
      const id = await post(content);
      for (const query of finding) expect(await search("cy", query), query).toContain(id);
      for (const query of missing) expect(await search("cy", query), query).not.toContain(id);
    });
  }

  test("whole words first, and prefixes if there are none", async () => {
    const important = await post("important imports");
    expect(await search("cy", "port")).toEqual([important]);
    const port = await post("any port in a storm");
    expect(await search("cy", "port")).toEqual([port]);
  });

  test("words of the topic, also together with those of the content", async () => {
    const id = await post("ready at noon", "Dumplings & Buns");
    for (const query of ["dumpling", "buns", "bun noon", '"dumplings & buns"', "dumpl"]) {
      expect(await search("cy", query), query).toEqual([id]);
    }
    expect(await search("cy", "dumpling midnight")).toEqual([]);
  });

  test("direct messages", async () => {
    const id = await write("bo", ["cy"], "a secret sauce");
    expect(await search("cy", "sauce")).toEqual([id]);
    expect(await search("gus", "sauce")).toEqual([]);
    expect(await search("cy", "sauce", term("dm", [testServer.idOf("bo")]))).toEqual([id]);
  });
});

describe("the messages found", () => {
  test("are ordered by id, page by page", async () => {
    const sent: number[] = [];
    for (let i = 0; i < 7; i++) sent.push(await post(`pancake ${i}`, `breakfast ${i % 2}`));
    const narrow = [term("search", "pancakes")];
    expect(await ids("cy", narrow, { num_before: 3 })).toEqual(sent.slice(4));
    const before = { anchor: sent[4], num_before: 2, include_anchor: false };
    expect(await ids("cy", narrow, before)).toEqual(sent.slice(2, 4));
    const after = { anchor: "oldest", num_before: 0, num_after: 2 };
    expect(await ids("cy", narrow, after)).toEqual(sent.slice(0, 3).slice(0, 2));
    expect(await ids("cy", [...narrow, term("topic", "breakfast 1")])).toEqual([
      sent[1]!,
      sent[3]!,
      sent[5]!,
    ]);
    expect(await ids("cy", [...narrow, term("topic", "breakfast 1", true)])).toHaveLength(4);
    const listed = { message_ids: [sent[0], sent[1]], anchor: undefined, num_before: 0 };
    const params = { ...listed, num_after: undefined, narrow };
    const response = await testServer.request("cy", "GET /messages", {
      ...params,
      num_before: undefined,
    });
    expect(response.messages.map(({ id }: Json) => id)).toEqual(sent.slice(0, 2));
  });

  test("highlight the terms in valid HTML", async () => {
    await post("**Waffles** & waffle <b> [irons](https://waffle.example)", "Waffle <hour>");
    const [response] = await getMessages(
      "cy",
      [term("search", "waffle"), term("search", "iron", true)],
      { apply_markdown: false },
    );
    const mark = (text: string) => `<span class="highlight">${text}</span>`;
    expect(response.content).toStartWith("**Waffles**");
    expect(response.match_content).toBe(
      `<p><strong>${mark("Waffles")}</strong> &amp; ${mark("waffle")} &lt;b&gt; ` +
        `<a href="https://waffle.example">${mark("irons")}</a></p>`,
    );
    expect(response.match_subject).toBe(`${mark("Waffle")} &lt;hour&gt;`);
    const [plain] = await getMessages("cy", []);
    expect(plain).not.toHaveProperty("match_content");
  });

  test("are distinguished from others that a client has", async () => {
    const [found, other] = [await post("apple pie"), await post("apple juice")];
    const params = { msg_ids: [found, other], narrow: [term("search", "pies")] };
    expect(
      (await testServer.request("cy", "GET /messages/matches_narrow", params)).messages,
    ).toEqual({
      [found]: {
        match_content: '<p>apple <span class="highlight">pie</span></p>',
        match_subject: "lunch",
      },
    });
  });

  test("can be flagged at once", async () => {
    const id = await post("unread oatmeal");
    const flags = { op: "add", flag: "read", anchor: "newest", num_before: 10, num_after: 0 };
    const narrow = [term("search", "oatmeal")];
    const response = await testServer.request("cy", "POST /messages/flags/narrow", {
      ...flags,
      narrow,
    });
    expect(response).toMatchObject({
      processed_count: 1,
      updated_count: 1,
      first_processed_id: id,
    });
  });
});

describe("a search does not reveal", () => {
  test("content or topics of inaccessible messages", async () => {
    await makeChannel("vault", ["bo", "cy"], { invite_only: true });
    const id = await post("the combination is kumquat", "quince codes", "bo", "vault");
    expect(await search("cy", "kumquat")).toEqual([id]);
    expect(await search("gus", "kumquat")).toEqual([]);
    expect(await search("mo", "kumquat")).toEqual([]);
    expect(await search("gus", "quince")).toEqual([]);
    await testServer.request("bo", "DELETE /users/me/subscriptions", {
      subscriptions: ["vault"],
      principals: [testServer.idOf("cy")],
    });
    expect(await search("cy", "kumquat")).toEqual([]);
  });

  test("messages from before the subscription, unless the channel is named", async () => {
    await makeChannel("garden", ["bo"]);
    const id = await post("the pumpkin grows", "beds", "bo", "garden");
    expect(await search("mo", "pumpkin")).toEqual([]);
    expect(await search("mo", "pumpkin", term("channel", "garden"))).toEqual([id]);
    expect(await search("mo", "pumpkin", term("channels", "public"))).toEqual([id]);
  });

  test("others' messages through the widening of a search", async () => {
    const id = await post("rhubarbcake");
    await write("bo", ["mo"], "barb");
    expect(await search("cy", "barb")).toEqual([id]);
  });
});

describe("no outdated match is left", () => {
  test("after an edit", async () => {
    const id = await post("walnut https://nuts.example");
    const links = () => ids("cy", [term("has", "link"), term("id", id)]);
    expect(await links()).toEqual([id]);
    await testServer.request("bo", `PATCH /messages/${id}`, { content: "hazelnut" });
    expect(await search("cy", "walnut")).toEqual([]);
    expect(await search("cy", "hazelnut")).toEqual([id]);
    expect(await links()).toEqual([]);
    await testServer.request("bo", `PATCH /messages/${id}`, { content: "almond", topic: "nuts" });
    expect(await search("cy", "hazelnut")).toEqual([]);
    expect(await search("cy", "almond nuts")).toEqual([id]);
  });

  test("after a topic was renamed, moved, or merged into another", async () => {
    const first = await post("one spoon", "cutlery drawer");
    const second = await post("two spoons", "cutlery drawer");
    const quietly = { send_notification_to_new_thread: false };
    const all = { propagate_mode: "change_all", ...quietly };
    await testServer.request("bo", `PATCH /messages/${first}`, { topic: "silverware", ...all });
    expect(await search("cy", "cutlery")).toEqual([]);
    expect(await search("cy", "silverware")).toEqual([first, second]);
    await testServer.request("bo", `PATCH /messages/${second}`, {
      topic: "chopsticks",
      ...quietly,
    });
    expect(await search("cy", "silverware")).toEqual([first]);
    expect(await search("cy", "chopstick spoon")).toEqual([second]);
    await testServer.request("bo", `PATCH /messages/${first}`, { topic: "chopsticks", ...all });
    expect(await search("cy", "silverware")).toEqual([]);
    expect(await search("cy", "chopsticks")).toEqual([first, second]);
  });

  test("after a message was moved to an inaccessible place", async () => {
    const id = await post("truffle news", "gossip");
    await makeChannel("cellar", ["bo"], { invite_only: true });
    const conversation = {
      stream_id: channels.get("cellar"),
      send_notification_to_new_thread: false,
    };
    await testServer.request("olga", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "kitchen" }],
    });
    await testServer.request("bo", `PATCH /messages/${id}`, conversation);
    expect(await search("cy", "truffle")).toEqual([]);
    expect(await search("bo", "truffle")).toEqual([id]);
  });

  test("after a deletion", async () => {
    const id = await post("burnt toast", "accidents");
    await testServer.request("olga", `DELETE /messages/${id}`);
    expect(await search("cy", "toast")).toEqual([]);
    expect(await search("cy", "accidents")).toEqual([]);
  });

  test("finds everything after a restart", async () => {
    const id = await post("leftover lasagna");
    await testServer.restart();
    expect(await search("cy", "lasagna")).toEqual([id]);
  });
});

describe("has:", () => {
  test("link and image follow the content, reaction follows the reactions", async () => {
    const link = await post("https://example.com/x");
    const withoutLinks = await post("no links here");
    const hasTerm = (label: string, negated = false) =>
      ids("cy", [term("has", label, negated), term("channel", "kitchen")]);
    expect(await hasTerm("link")).toContain(link);
    expect(await hasTerm("link")).not.toContain(withoutLinks);
    expect(await hasTerm("link", true)).toContain(withoutLinks);
    expect(await hasTerm("image")).not.toContain(link);
    await testServer.request("bo", `PATCH /messages/${withoutLinks}`, {
      content: "https://example.com/y",
    });
    expect(await hasTerm("link")).toContain(withoutLinks);
    await testServer.request("cy", `POST /messages/${withoutLinks}/reactions`, {
      emoji_name: "tada",
    });
    expect(await hasTerm("reaction")).toContain(withoutLinks);
    await testServer.request("cy", `DELETE /messages/${withoutLinks}/reactions`, {
      emoji_name: "tada",
    });
    expect(await hasTerm("reaction")).not.toContain(withoutLinks);
  });
});

describe("rejects", () => {
  async function expectRefused(refusal: errors.Refusal, narrow: Json[]) {
    const { errCode: code, status, message: msg, extra } = refusal;
    const params = { anchor: 1, num_before: 0, num_after: 0, narrow };
    const response = await testServer.refused("bo", "GET /messages", params);
    expect(response).toMatchObject({ status, code, msg, ...extra });
  }

  test("an empty search", () => expectRefused(messageErrors.searchBlank(), [term("search", " ")]));
  test("a search without text", () =>
    expectRefused(messageErrors.operandTypeInvalid("a string"), [term("search", 7)]));
  test("an unknown kind of content", () =>
    expectRefused(messageErrors.badNarrow("unknown 'has' operand legs"), [term("has", "legs")]));
});
