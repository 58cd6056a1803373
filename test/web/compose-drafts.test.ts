// Drafts are saved at each pause, synced later, and never overwritten.
import { beforeEach, expect, test } from "bun:test";
import { DraftBinding } from "../../src/web/features/drafts/draft-binding.ts";
import { Drafts } from "../../src/web/features/drafts/drafts-sync.ts";
import type { ServerDraft } from "../../src/web/features/drafts/server-sync.ts";
import { keyOfConversation } from "../../src/web/conversation-keys.ts";
import type { StoredDraftRow } from "../../src/web/sync/personal-database.ts";
import type { ConversationRef } from "../../src/web/views.ts";
import { rowsByPlace } from "./rows-in-memory.ts";
import { ManualClock } from "./manual-clock.ts";

let world: ManualClock;
let disk: Map<string, StoredDraftRow>;
let server: Map<number, ServerDraft>;
/** Drafts that the server has stored but whose events have not arrived. */
let unsent: Map<number, ServerDraft>;
let [isSlow, isShared, isAway, clashes] = [false, true, false, 0];
/** Greatest id that an event has reported, even if its draft is deleted by now. */
let newest = 0;
let [isBroken, additions] = [false, 0];
beforeEach(() => {
  [world, disk, server, unsent] = [new ManualClock(), new Map(), new Map(), new Map()];
  [isSlow, isShared, isAway, clashes, newest] = [false, true, false, 0, 0];
  [isBroken, additions] = [false, 0];
});

function openDrafts(): Drafts {
  const sharing = {
    isOn: () => isShared,
    isCurrent: () => !isAway,
    drafts: () => [...server.values()],
    fetchAll: async () => [...server.values(), ...unsent.values()],
    newest: () => (newest = Math.max(newest, ...server.keys())),
    async add(to: ConversationRef, content: string, changed: number) {
      additions += 1;
      if (isBroken) throw new Error("no response");
      const id = server.size + 1;
      (isSlow ? unsent : server).set(id, { id, to, content, changed });
      return id;
    },
    async edit(id: number, to: ConversationRef, content: string, changed: number) {
      (isSlow ? unsent : server).set(id, { id, to, content, changed });
    },
    async remove(id: number) {
      if (isAway) throw new Error("no network");
      server.delete(id);
    },
  };
  const onConflict = () => void (clashes += 1);
  return new Drafts(rowsByPlace(disk), sharing, world, keyOfConversation, { onConflict });
}

const logo: ConversationRef = { stream_id: 5, topic: "logo" };
const other: ConversationRef = { user_ids: [7] };
const key = keyOfConversation(logo);
const texts = () => [...disk.values()].map(({ text }) => text);

test("stores a draft after a pause, and sends it after a longer one, once", async () => {
  const drafts = openDrafts();
  drafts.change(key, logo, "h");
  await world.passTime(200);
  drafts.change(key, logo, "he");
  await world.passTime(299);
  expect(texts()).toEqual([]);
  await world.passTime(1);
  expect(texts()).toEqual(["he"]);
  expect(server.size).toBe(0);
  await world.passTime(2000);
  await drafts.settled();
  expect([...server.values()]).toMatchObject([{ content: "he", to: logo }]);
  drafts.change(key, logo, "hey");
  await world.passTime(2000);
  await drafts.settled();
  expect([...server.values()]).toMatchObject([{ content: "hey" }]);
  drafts.forget(key);
  await drafts.settled();
  expect([texts(), server.size]).toEqual([[], 0]);
});

test("does not restore a sent text because of a late event", async () => {
  const drafts = openDrafts();
  drafts.change(key, logo, "half");
  await world.passTime(2000);
  await drafts.settled();
  drafts.change(key, logo, "half and whole");
  drafts.forget(key);
  // The deletion is in flight. An earlier version that arrives later must not restore the draft.
  expect(server.size).toBe(1);
  expect(drafts.of(key)).toBeUndefined();
  await drafts.settled();
  server.set(9, { id: 9, to: logo, content: "half", changed: world.time - 1 });
  expect(drafts.of(key)).toBeUndefined();
  // Another client's text, or the same text typed later, is not an earlier version.
  server.set(9, { id: 9, to: logo, content: "theirs", changed: world.time - 1 });
  expect(drafts.of(key)?.text).toBe("theirs");
  server.set(9, { id: 9, to: logo, content: "half", changed: world.time + 1 });
  expect(drafts.of(key)?.text).toBe("half");
});

test("does not restore a text sent without a network on the next page", async () => {
  const before = openDrafts();
  before.change(key, logo, "half");
  await world.passTime(2000);
  await before.settled();
  isAway = true;
  before.forget(key);
  await before.settled();
  expect(server.size).toBe(1);
  const drafts = openDrafts();
  await drafts.load();
  const texts = drafts.all().map(({ text }) => text);
  expect([drafts.of(key), texts, clashes]).toEqual([undefined, [""], 0]);
  isAway = false;
  drafts.share();
  await drafts.settled();
  await drafts.flush();
  expect([server.size, disk.size, drafts.of(key), clashes]).toEqual([0, 0, undefined, 0]);
});

test("changes the same draft in a new page", async () => {
  const before = openDrafts();
  before.change(key, logo, "half");
  await world.passTime(2000);
  await before.settled();
  before.change(key, logo, "half and more");
  await before.flush();
  const drafts = openDrafts();
  await drafts.load();
  drafts.share();
  await drafts.settled();
  const contents = [...server.values()].map(({ content }) => content);
  expect([contents, clashes]).toEqual([["half and more"], 0]);
});

test("keeps what was typed since a late event of the draft", async () => {
  const drafts = openDrafts();
  let message = "";
  const box = new DraftBinding(drafts, {
    text: () => message,
    setText: (text) => void (message = text),
  });
  box.switchTo("view", logo);
  const type = async (text: string) => {
    message = text;
    box.onInput();
    await world.passTime(2000);
    await drafts.settled();
  };
  isSlow = true;
  await type("half");
  const sharedDraft = unsent.get(1)!;
  // The response has arrived but not the event: the draft is listed nevertheless.
  box.refresh();
  expect([message, drafts.of(key)?.text, texts()]).toEqual(["half", "half", ["half"]]);
  server.set(1, sharedDraft);
  await type("half and whole");
  expect(unsent.get(1)?.content).toBe("half and whole");
  box.refresh();
  expect([message, drafts.of(key)?.text]).toEqual(["half and whole", "half and whole"]);
  // A later change of another client is shown.
  server.set(1, { ...sharedDraft, content: "theirs", changed: world.time + 1 });
  box.refresh();
  expect(message).toBe("theirs");
});

test("adds a draft once, however often it is shared before the response", async () => {
  const drafts = openDrafts();
  drafts.change(key, logo, "half");
  for (let time = 0; time < 2; time++) drafts.share();
  isBroken = true;
  await drafts.settled();
  expect(additions).toBe(1);
  isBroken = false;
  drafts.share();
  await drafts.settled();
  expect([additions, server.size]).toEqual([2, 1]);
});

// The events that add and delete the draft arrive after the response, or before it (isLate).
test.each([true, false])("empties the field of a draft sent elsewhere (%p)", async (isLate) => {
  isSlow = isLate;
  const drafts = openDrafts();
  let message = "sent on the phone";
  const setText = (text: string) => void (message = text);
  const box = new DraftBinding(drafts, { text: () => message, setText });
  box.adopt("view", logo);
  box.onInput();
  await world.passTime(2000);
  await drafts.settled();
  [newest, isSlow] = [1, false];
  server.clear();
  box.refresh();
  expect(message).toBe("");
});

test("restores a text that was rolled back elsewhere", async () => {
  const drafts = openDrafts();
  drafts.change(key, logo, "half");
  drafts.move(key, keyOfConversation(other), other, "half");
  expect(drafts.of(key)).toBeUndefined();
  drafts.move(keyOfConversation(other), key, logo, "half");
  await world.passTime(2000);
  await drafts.settled();
  expect(drafts.of(key)).toMatchObject({ text: "half", synced: "half" });
  expect(drafts.of(keyOfConversation(other))).toBeUndefined();
});

test("stores drafts only locally for users who do not synchronize them", async () => {
  isShared = false;
  const drafts = openDrafts();
  drafts.change(key, logo, "mine");
  await world.passTime(3000);
  await drafts.settled();
  expect([texts(), server.size]).toEqual([["mine"], 0]);
});

test("shows another client's draft, and keeps what was typed since", async () => {
  const drafts = openDrafts();
  server.set(1, { id: 1, to: logo, content: "theirs", changed: 50 });
  expect(drafts.of(key)?.text).toBe("theirs");
  world.time = 100;
  drafts.change(key, logo, "mine");
  expect(drafts.of(key)?.text).toBe("mine");
  await world.passTime(2000);
  await drafts.settled();
  expect(server.get(1)?.content).toBe("mine");
  server.delete(1);
  expect(drafts.of(key)).toBeUndefined();
});

test("keeps both texts of two clients in one conversation, and says so", async () => {
  const drafts = openDrafts();
  drafts.change(key, logo, "begun");
  await world.passTime(2000);
  await drafts.settled();
  // This client continues the draft while another client changes it.
  drafts.change(key, logo, "begun here");
  server.set(1, { id: 1, to: logo, content: "begun there", changed: world.time + 5 });
  expect(drafts.of(key)?.text).toBe("begun here");
  await world.passTime(2000);
  await drafts.settled();
  expect([...server.values()].map(({ content }) => content)).toEqual(["begun there", "begun here"]);
  expect(clashes).toBe(1);
  // A late event about the client's own change is no conflict.
  drafts.change(key, logo, "begun here, too");
  await world.passTime(2000);
  await drafts.settled();
  expect(server.get(2)?.content).toBe("begun here, too");
  expect([server.size, clashes, drafts.of(key)?.text]).toEqual([2, 1, "begun here, too"]);
  // Selecting the other version in the list leaves the current one in the list.
  const { id, content, changed } = server.get(1)!;
  drafts.choose(key, {
    place: key,
    to: logo,
    text: content,
    changed,
    draft_id: id,
    synced: content,
  });
  expect(drafts.of(key)?.text).toBe("begun there");
  expect(server.size).toBe(2);
});

test("keeps both texts of two tabs that share only the disk", async () => {
  isShared = false;
  const [drafts, two] = [openDrafts(), openDrafts()];
  drafts.change(key, logo, "in the one");
  await world.passTime(300);
  two.change(key, logo, "in the other");
  await world.passTime(300);
  await Bun.sleep(0);
  expect([texts().sort(), clashes]).toEqual([["in the one", "in the other"], 1]);
  two.change(key, logo, "in the other, more");
  await world.passTime(300);
  await Bun.sleep(0);
  const later = openDrafts();
  await later.load();
  const allTexts = later.all().map(({ text }) => text);
  expect(allTexts.sort()).toEqual(["in the one", "in the other, more"]);
});

function boxIn(drafts: Drafts) {
  let text = "";
  const setText = (value: string) => (text = value);
  const box = new DraftBinding(drafts, { text: () => text, setText });
  const type = (message: string) => {
    text = message;
    box.onInput();
  };
  return { box, type, text: () => text };
}

test("shows the draft of another conversation, and the first again on return", () => {
  const { box, type, text } = boxIn(openDrafts());
  box.switchTo("logo", logo);
  type("about the logo");
  box.switchTo("bo", other);
  expect(text()).toBe("");
  type("to Bo");
  box.switchTo("logo", logo);
  expect(text()).toBe("about the logo");
  box.switchTo("bo", other);
  expect(text()).toBe("to Bo");
});

test("moves the text to another recipient, and keeps the draft there", async () => {
  const drafts = openDrafts();
  drafts.change(keyOfConversation(other), other, "begun for Bo");
  const { box, type, text } = boxIn(drafts);
  box.switchTo("feed", logo);
  type("half a thought");
  box.switchTo("feed", other);
  expect(text()).toBe("half a thought");
  await drafts.flush();
  expect(texts().sort()).toEqual(["begun for Bo", "half a thought"]);
  expect(drafts.of(key)).toBeUndefined();
});

test("deletes the draft when sent, but keeps what was typed meanwhile", async () => {
  const drafts = openDrafts();
  const { box, type, text } = boxIn(drafts);
  box.switchTo("logo", logo);
  type("first");
  type("first and more");
  box.sent("first", logo);
  expect(text()).toBe("first and more");
  expect(drafts.of(key)?.text).toBe("first and more");
  box.sent("first and more", logo);
  expect([text(), drafts.of(key)]).toEqual(["", undefined]);
});
