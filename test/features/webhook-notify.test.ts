// Users that messages from an incoming webhook can notify.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import {
  formOf,
  type Json,
  startTestServer,
  type Params,
  type TestServer,
} from "../test-server.ts";

let testServer: TestServer;
let hook: Json;
beforeEach(async () => {
  testServer = await startTestServer();
  hook = await makeHook();
});
afterEach(() => testServer.close());

const makeHook = (params: Params = {}): Promise<Json> =>
  testServer.request("bo", "POST /bots", {
    full_name: "hook",
    short_name: "h",
    bot_type: 2,
    ...params,
  });

const choose = (can_notify: unknown, requester: Name = "bo") =>
  testServer.send(requester, `PATCH /bots/${hook.user_id}`, {
    can_notify: JSON.stringify(can_notify),
  });

async function post(path: string, query: Params, body: unknown): Promise<void> {
  const address = { api_key: hook.api_key, stream: "sandbox", topic: "builds", ...query };
  const response = await fetch(`${testServer.url}/api/v1/external/${path}?${formOf(address)}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

const postTitle = (title: string) => post("json", { template: "{{title}}" }, { title });

/** The newest message as this user received it. */
async function newestMessage(name: Name): Promise<Json> {
  const params = { anchor: "newest", num_before: 1, num_after: 0 };
  return (await testServer.request(name, "GET /messages", params)).messages[0];
}

const RINGS = ["mentioned", "stream_wildcard_mentioned", "topic_wildcard_mentioned"];
const notificationFlags = async (name: Name) =>
  ((await newestMessage(name)).flags as string[]).filter((flag) => RINGS.includes(flag));

async function groupOf(name: string, ...members: Name[]): Promise<number> {
  const params = {
    name,
    description: "",
    members: members.map((member) => testServer.idOf(member)),
  };
  return (await testServer.request("olga", "POST /user_groups/create", params)).group_id;
}

const nameOf = (name: Name) => testServer.realm.read.users.get(testServer.idOf(name))!.full_name;

test("notifies nobody by default", async () => {
  await groupOf("helm", "cy");
  const id = testServer.idOf("cy");
  const texts = ["@**all**", "@**topic**", "@*helm*", `@**${nameOf("cy")}**`, `@**|${id}**`];
  for (const text of texts) {
    await postTitle(`look: ${text}`);
    expect({ text, rings: await notificationFlags("cy") }).toEqual({ text, rings: [] });
    const { content } = await newestMessage("cy");
    expect(content).toContain("silent");
    expect(content).not.toContain("@");
  }
  const slack = ["<!channel>", "<!here> now", "<!everyone>", "@**all**", `@**${nameOf("cy")}**`];
  for (const text of slack) {
    await post("slack_incoming", {}, { text });
    expect({ text, rings: await notificationFlags("cy") }).toEqual({ text, rings: [] });
  }
  await post("slack_incoming", {}, { attachments: [{ title: "@**all**", text: "<!channel>" }] });
  expect(await notificationFlags("cy")).toEqual([]);
});

test("notifies only the selected users and groups", async () => {
  const group = await groupOf("helm", "cy");
  await groupOf("deck", "cy");
  const chosen = { direct_members: [testServer.idOf("mo")], direct_subgroups: [group] };
  expect((await choose(chosen)).status).toBe(200);
  await postTitle(`@**${nameOf("mo")}** @**${nameOf("ada")}** @*helm*`);
  expect(await notificationFlags("cy")).toEqual(["mentioned"]);
  const { content } = await newestMessage("cy");
  expect(content).toContain(`@${nameOf("mo")}`);
  expect(content).not.toContain(`@${nameOf("ada")}`);
  // Notified as a member of a selected group.
  await postTitle(`@**${nameOf("cy")}**`);
  expect(await notificationFlags("cy")).toEqual(["mentioned"]);
  for (const text of ["@*deck*", "@**all**", "@**topic**"]) {
    await postTitle(text);
    expect({ text, rings: await notificationFlags("cy") }).toEqual({ text, rings: [] });
  }
});

test("notifies everyone whom the bot can mention if its owner selected that", async () => {
  await choose("everyone");
  await post("slack_incoming", {}, { text: "<!channel>" });
  expect(await notificationFlags("cy")).toEqual(["stream_wildcard_mentioned"]);
  await postTitle(`@**${nameOf("cy")}**`);
  expect(await notificationFlags("cy")).toEqual(["mentioned"]);
});

test("keeps the behavior of webhooks of an earlier version, and doctor lists them", async () => {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) =>
    tx.passwords.put({ user_id: testServer.idOf("olga"), hash }),
  );
  const olga = new Browser(testServer);
  await olga.signIn("olga");
  const webhookCheck = async () => {
    const { checks } = await olga.request("GET /doctor/", { only: "security" });
    return checks.find(({ id }: { id: string }) => id === "security.webhooks");
  };
  expect((await webhookCheck()).state).toBe("ok");
  await testServer.realm.write((tx) => {
    const { can_notify: _unset, ...row } = tx.bots.get(hook.user_id)!;
    tx.bots.put(row);
  });
  await postTitle("@**all**");
  expect(await notificationFlags("cy")).toEqual(["stream_wildcard_mentioned"]);
  expect(await webhookCheck()).toMatchObject({
    state: "warn",
    message: expect.stringContaining("hook"),
  });
  // An explicit choice counts, even if it equals the default.
  await choose("everyone");
  expect((await webhookCheck()).state).toBe("ok");
});

test("does not affect messages that the bot sends through the API", async () => {
  const generic = await testServer.request("bo", "POST /bots", {
    full_name: "gen",
    short_name: "gen",
  });
  const headers = { Authorization: `Basic ${btoa(`gen-bot@127.0.0.1:${generic.api_key}`)}` };
  const body = formOf({ type: "stream", to: "sandbox", topic: "t", content: "@**all**" });
  const url = `${testServer.url}/api/v1/messages`;
  const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(body) });
  expect(response.status).toBe(200);
  expect(await notificationFlags("cy")).toEqual(["stream_wildcard_mentioned"]);
});

test("lets only the owner and administrators change it, with events to them", async () => {
  const chosen = { direct_members: [testServer.idOf("mo")], direct_subgroups: [] };
  const { events } = await staysInSync(testServer, ["bo", "olga", "cy"], () => choose(chosen));
  for (const name of ["bo", "olga"] as const) {
    expect(events[name]).toMatchObject([{ type: "realm_bot", op: "update" }]);
    expect(events[name]![0]!["bot"]).toEqual({ user_id: hook.user_id, can_notify: chosen });
  }
  expect(events.cy).toEqual([]);
  expect((await choose("everyone", "cy")).status).toBe(400);
  for (const wrong of [
    "some",
    999_999,
    { direct_members: [999_999], direct_subgroups: [] },
    { direct_members: [], direct_subgroups: [999_999] },
    { direct_members: ["x"], direct_subgroups: [] },
    null,
  ]) {
    expect({ wrong, status: (await choose(wrong)).status }).toEqual({ wrong, status: 400 });
  }
  const { realm_bots } = await testServer.request("bo", "POST /register", {
    fetch_event_types: JSON.stringify(["realm_bot"]),
  });
  const stored = realm_bots.find((bot: Json) => bot.user_id === hook.user_id);
  expect(stored.can_notify).toEqual(chosen);
});
