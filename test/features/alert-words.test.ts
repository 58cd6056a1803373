// Alert words: how users store them, and which messages match.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as messageErrors from "../../src/contract/errors/messages.ts";
import { recomputeAlertFlags } from "../../src/features/alert-words/alerts.ts";
import { ALERT_WORDS_MAX } from "../../src/features/alert-words/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let stream_id: number;
beforeEach(async () => {
  testServer = await startTestServer();
  const subscribers = (["bo", "cy", "mo", "gus"] as const).map((name) => testServer.idOf(name));
  stream_id = (
    await testServer.request("bo", "POST /channels/create", { name: "garden", subscribers })
  ).id;
});
afterEach(() => testServer.close());

const add = (name: Name, ...alert_words: string[]) =>
  testServer.request(name, "POST /users/me/alert_words", { alert_words });
const drop = (name: Name, ...alert_words: string[]) =>
  testServer.request(name, "DELETE /users/me/alert_words", { alert_words });
const wordsOf = async (name: Name): Promise<string[]> =>
  (await testServer.request(name, "GET /users/me/alert_words")).alert_words;

async function expectRefused(refusal: errors.Refusal, method: string, alert_words: unknown) {
  const refusedResponse = await testServer.refused("bo", `${method} /users/me/alert_words`, {
    alert_words,
  });
  expect(refusedResponse).toMatchObject({
    code: refusal.errCode,
    msg: refusal.message,
    status: 400,
  });
}

describe("alert words of a user", () => {
  test("changes alert words in any letter case, with events to the user only", async () => {
    const addition = await staysInSync(testServer, ["bo", "cy"], () =>
      add("bo", " Peas ", "PEAS", "  ", "oat milk"),
    );
    const all = ["oat milk", "Peas"];
    expect(addition.result.alert_words).toEqual(all);
    const event = { id: expect.any(Number), type: "alert_words", alert_words: all };
    expect(addition.events.bo).toEqual([event]);
    expect(addition.events.cy).toEqual([]);
    expect(await wordsOf("bo")).toEqual(all);

    const removal = await staysInSync(testServer, ["bo"], () => drop("bo", "pEAS", "unknown"));
    expect(removal.result.alert_words).toEqual(["oat milk"]);
    expect(removal.events.bo).toMatchObject([{ alert_words: ["oat milk"] }]);
  });

  test("send no event if nothing changed", async () => {
    await add("bo", "leeks");
    const { events } = await staysInSync(testServer, ["bo"], async () => {
      expect((await add("bo", "LEEKS")).alert_words).toEqual(await wordsOf("bo"));
      expect((await drop("bo", "unknown")).alert_words).toEqual(await wordsOf("bo"));
    });
    expect(events.bo).toEqual([]);
    expect(await wordsOf("bo")).toContain("leeks");
  });

  test("limits the number and length of alert words", async () => {
    await expectRefused(errors.missingParameter("alert_words"), "POST", undefined);
    await expectRefused(errors.missingParameter("alert_words"), "DELETE", undefined);
    await expectRefused(channelErrors.tooLong("alert_words[1]", 100), "POST", [
      "a",
      "b".repeat(101),
    ]);
    await expectRefused(errors.badRequest("alert_words[0] is not a string"), "POST", [1]);
    const tooMany = Array.from({ length: ALERT_WORDS_MAX + 1 }, (_, i) => `w${i}`);
    await expectRefused(messageErrors.alertWordsTooMany(ALERT_WORDS_MAX), "POST", tooMany);
  });

  test("keeps alert words after a restart", async () => {
    await add("bo", "leeks");
    await testServer.restart();
    expect(await wordsOf("bo")).toEqual(["leeks"]);
  });
});

describe("a message with an alert word", () => {
  const post = async (content: string, params: Params = {}, name: Name = "bo"): Promise<number> => {
    const message = { type: "channel", to: stream_id, topic: "t", content, ...params };
    return (await testServer.request(name, "POST /messages", message)).id;
  };
  const flagsOf = async (name: Name, id: number): Promise<string[]> =>
    (await testServer.request(name, `GET /messages/${id}`)).message.flags;
  /** Returns which of these users are alerted, according to events and stored flags. */
  const alertedUsers = async (send: () => Promise<number>, ...names: Name[]): Promise<Name[]> => {
    const listeners = await Promise.all(
      names.map((name) => testServer.listen(name, { event_types: ["message"] })),
    );
    const id = await send();
    const foundNames: Name[] = [];
    for (const [index, name] of names.entries()) {
      const [event] = await listeners[index]!.takeAll();
      const storedFlags = await flagsOf(name, id);
      if (event) expect(event.flags).toEqual(storedFlags);
      if (storedFlags.includes("has_alert_word")) foundNames.push(name);
    }
    return foundNames;
  };

  beforeEach(async () => {
    await add("cy", "Rhubarb");
    await add("ada", "rhubarb");
    await add("mo", "rhubarb pie");
  });

  test("alerts its recipients", async () => {
    const all = ["bo", "cy", "mo", "ada"] as const;
    expect(await alertedUsers(() => post("More (RHUBARB), please"), ...all)).toEqual(["cy"]);
    expect(await alertedUsers(() => post("rhubarb pie!"), ...all)).toEqual(["cy", "mo"]);
    expect(await alertedUsers(() => post("rhubarbs"), ...all)).toEqual([]);
    const sendOwnAlertWord = () => post("my rhubarb", {}, "cy");
    expect(await alertedUsers(sendOwnAlertWord, ...all)).toEqual(["cy"]);
    const direct = { type: "direct", to: [testServer.idOf("cy")] };
    expect(await alertedUsers(() => post("rhubarb", direct), "bo", "cy")).toEqual(["cy"]);
  });

  test("finds messages with alert words by a narrow", async () => {
    const id = await post("rhubarb, rhubarb");
    const plainId = await post("grass");
    const narrow = [{ operator: "is", operand: "alerted" }];
    const page = { anchor: "newest", num_before: 100, num_after: 0, narrow };
    const { messages } = await testServer.request("cy", "GET /messages", page);
    const ids = messages.map((message: Json) => message.id);
    expect(ids).toContain(id);
    expect(ids).not.toContain(plainId);
    expect((await testServer.request("gus", "GET /messages", page)).messages).toEqual([]);
  });

  test("flags messages with alert words after a restart too", async () => {
    const listener = await testServer.listen("cy", { event_types: ["message"] });
    await post("rhubarb");
    await testServer.restart();
    expect((await listener.next()).flags).toEqual(["has_alert_word"]);
  });

  test("alerts other users when it is edited", async () => {
    const id = await post("rhubarb");
    await testServer.realm.write((tx) => {
      const edited = { ...tx.messages.get(id)!, content: "rhubarb pie" };
      recomputeAlertFlags(tx, edited, "rhubarb", () => true);
    });
    expect(await flagsOf("mo", id)).toEqual(["has_alert_word"]);
    await testServer.realm.write((tx) => {
      const edited = { ...tx.messages.get(id)!, content: "grass" };
      recomputeAlertFlags(tx, edited, "rhubarb pie", () => true);
    });
    expect(await flagsOf("mo", id)).toEqual([]);
    expect(await flagsOf("cy", id)).toEqual([]);
  });
});
