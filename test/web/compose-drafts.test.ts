// Drafts: kept at each pause, shared later, never overwritten.
import { beforeEach, expect, test } from "bun:test";
import { Box } from "../../src/web/features/drafts/box.ts";
import { Drafts } from "../../src/web/features/drafts/drafts.ts";
import type { SharedDraft } from "../../src/web/features/drafts/sharing.ts";
import { placeKey } from "../../src/web/features/target/places.ts";
import type { KeptDraft } from "../../src/web/sync/kept.ts";
import type { Rows } from "../../src/web/sync/rows.ts";
import type { Place } from "../../src/web/views.ts";
import { StillWorld } from "./still-world.ts";

let world: StillWorld;
let disk: Map<string, KeptDraft>;
let server: Map<number, SharedDraft>;
/** What the server has taken, and no event has told yet. */
let untold: Map<number, SharedDraft>;
let [isSlow, isShared, isAway, clashes] = [false, true, false, 0];
beforeEach(() => {
  [world, disk, server, untold] = [new StillWorld(), new Map(), new Map(), new Map()];
  [isSlow, isShared, isAway, clashes] = [false, true, false, 0];
});

const rows: Rows<KeptDraft> = {
  all: async () => [...disk.values()],
  exchange: async (row) => {
    const there = disk.get(row.place);
    disk.set(row.place, row);
    return there;
  },
  put: async (row) => void disk.set(row.place, row),
  has: async (key) => disk.has(key),
  delete: async (key) => void disk.delete(key),
};

function opened(): Drafts {
  const sharing = {
    isOn: () => isShared,
    isCurrent: () => !isAway,
    drafts: () => [...server.values()],
    async add(to: Place, content: string, changed: number) {
      const id = server.size + 1;
      (isSlow ? untold : server).set(id, { id, to, content, changed });
      return id;
    },
    async edit(id: number, to: Place, content: string, changed: number) {
      (isSlow ? untold : server).set(id, { id, to, content, changed });
    },
    async remove(id: number) {
      if (isAway) throw new Error("no network");
      server.delete(id);
    },
  };
  const clashed = () => void (clashes += 1);
  return new Drafts(rows, sharing, world, placeKey, { clashed });
}

const logo: Place = { stream_id: 5, topic: "logo" };
const other: Place = { user_ids: [7] };
const key = placeKey(logo);
const texts = () => [...disk.values()].map(({ text }) => text);

test("a pause brings it to the disk, a longer one to the server, once", async () => {
  const drafts = opened();
  drafts.change(key, logo, "h");
  await world.pass(200);
  drafts.change(key, logo, "he");
  await world.pass(299);
  expect(texts()).toEqual([]);
  await world.pass(1);
  expect(texts()).toEqual(["he"]);
  expect(server.size).toBe(0);
  await world.pass(2000);
  await drafts.settled();
  expect([...server.values()]).toMatchObject([{ content: "he", to: logo }]);
  drafts.change(key, logo, "hey");
  await world.pass(2000);
  await drafts.settled();
  expect([...server.values()]).toMatchObject([{ content: "hey" }]);
  drafts.forget(key);
  await drafts.settled();
  expect([texts(), server.size]).toEqual([[], 0]);
});

test("a text that was sent does not come back by what the server tells of it late", async () => {
  const drafts = opened();
  drafts.change(key, logo, "half");
  await world.pass(2000);
  await drafts.settled();
  drafts.change(key, logo, "half and whole");
  drafts.forget(key);
  // The word that it is gone is on its way; what was told before is not.
  expect(server.size).toBe(1);
  expect(drafts.of(key)).toBeUndefined();
  await drafts.settled();
  server.set(9, { id: 9, to: logo, content: "half", changed: world.time - 1 });
  expect(drafts.of(key)).toBeUndefined();
  // Another client's own text is none of these, nor is the same one that is typed later.
  server.set(9, { id: 9, to: logo, content: "theirs", changed: world.time - 1 });
  expect(drafts.of(key)?.text).toBe("theirs");
  server.set(9, { id: 9, to: logo, content: "half", changed: world.time + 1 });
  expect(drafts.of(key)?.text).toBe("half");
});

test("what was sent without a network does not come back with the next page", async () => {
  const before = opened();
  before.change(key, logo, "half");
  await world.pass(2000);
  await before.settled();
  isAway = true;
  before.forget(key);
  await before.settled();
  expect(server.size).toBe(1);
  const drafts = opened();
  await drafts.load();
  const known = drafts.all().map(({ text }) => text);
  expect([drafts.of(key), known, clashes]).toEqual([undefined, [""], 0]);
  isAway = false;
  drafts.share();
  await drafts.settled();
  await drafts.flush();
  expect([server.size, disk.size, drafts.of(key), clashes]).toEqual([0, 0, undefined, 0]);
});

test("who goes on in a new page changes the same draft", async () => {
  const before = opened();
  before.change(key, logo, "half");
  await world.pass(2000);
  await before.settled();
  before.change(key, logo, "half and more");
  await before.flush();
  const drafts = opened();
  await drafts.load();
  drafts.share();
  await drafts.settled();
  const held = [...server.values()].map(({ content }) => content);
  expect([held, clashes]).toEqual([["half and more"], 0]);
});

test("what the server tells late of a draft takes nothing back that was typed since", async () => {
  const drafts = opened();
  let words = "";
  const box = new Box(drafts, { text: () => words, setText: (text) => void (words = text) });
  box.turn("view", logo);
  const type = async (text: string) => {
    words = text;
    box.typed();
    await world.pass(2000);
    await drafts.settled();
  };
  isSlow = true;
  await type("half");
  const told = untold.get(1)!;
  // The answer has come, the event has not: it is there all the same.
  box.refresh();
  expect([words, drafts.of(key)?.text, texts()]).toEqual(["half", "half", ["half"]]);
  server.set(1, told);
  await type("half and whole");
  expect(untold.get(1)?.content).toBe("half and whole");
  box.refresh();
  expect([words, drafts.of(key)?.text]).toEqual(["half and whole", "half and whole"]);
  // What another client makes of it later is shown.
  server.set(1, { ...told, content: "theirs", changed: world.time + 1 });
  box.refresh();
  expect(words).toBe("theirs");
});

test("a text that went elsewhere and came back is begun here again", async () => {
  const drafts = opened();
  drafts.change(key, logo, "half");
  drafts.move(key, placeKey(other), other, "half");
  expect(drafts.of(key)).toBeUndefined();
  drafts.move(placeKey(other), key, logo, "half");
  await world.pass(2000);
  await drafts.settled();
  expect(drafts.of(key)).toMatchObject({ text: "half", synced: "half" });
  expect(drafts.of(placeKey(other))).toBeUndefined();
});

test("who does not share drafts keeps them on the disk alone", async () => {
  isShared = false;
  const drafts = opened();
  drafts.change(key, logo, "mine");
  await world.pass(3000);
  await drafts.settled();
  expect([texts(), server.size]).toEqual([["mine"], 0]);
});

test("what another client began is found; what was typed here since stays", async () => {
  const drafts = opened();
  server.set(1, { id: 1, to: logo, content: "theirs", changed: 50 });
  expect(drafts.of(key)?.text).toBe("theirs");
  world.time = 100;
  drafts.change(key, logo, "mine");
  expect(drafts.of(key)?.text).toBe("mine");
  await world.pass(2000);
  await drafts.settled();
  expect(server.get(1)?.content).toBe("mine");
  server.delete(1);
  expect(drafts.of(key)).toBeUndefined();
});

test("two clients that write in one place keep both texts, and the person is told", async () => {
  const drafts = opened();
  drafts.change(key, logo, "begun");
  await world.pass(2000);
  await drafts.settled();
  // Here it goes on while another client makes something else of it.
  drafts.change(key, logo, "begun here");
  server.set(1, { id: 1, to: logo, content: "begun there", changed: world.time + 5 });
  expect(drafts.of(key)?.text).toBe("begun here");
  await world.pass(2000);
  await drafts.settled();
  expect([...server.values()].map(({ content }) => content)).toEqual(["begun there", "begun here"]);
  expect(clashes).toBe(1);
  // An event about one's own change that comes late is no other's.
  drafts.change(key, logo, "begun here, too");
  await world.pass(2000);
  await drafts.settled();
  expect(server.get(2)?.content).toBe("begun here, too");
  expect([server.size, clashes, drafts.of(key)?.text]).toEqual([2, 1, "begun here, too"]);
  // The other one is chosen from the list: this stays in it.
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

test("two tabs that share nothing but the disk keep both texts", async () => {
  isShared = false;
  const [one, two] = [opened(), opened()];
  one.change(key, logo, "in the one");
  await world.pass(300);
  two.change(key, logo, "in the other");
  await world.pass(300);
  await Bun.sleep(0);
  expect([texts().sort(), clashes]).toEqual([["in the one", "in the other"], 1]);
  two.change(key, logo, "in the other, more");
  await world.pass(300);
  await Bun.sleep(0);
  const later = opened();
  await later.load();
  const known = later.all().map(({ text }) => text);
  expect(known.sort()).toEqual(["in the one", "in the other, more"]);
});

function boxIn(drafts: Drafts) {
  let text = "";
  const box = new Box(drafts, { text: () => text, setText: (words) => (text = words) });
  const type = (words: string) => {
    text = words;
    box.typed();
  };
  return { box, type, text: () => text };
}

test("in another conversation one finds what was begun there, and comes back to the first", () => {
  const { box, type, text } = boxIn(opened());
  box.turn("logo", logo);
  type("about the logo");
  box.turn("bo", other);
  expect(text()).toBe("");
  type("to Bo");
  box.turn("logo", logo);
  expect(text()).toBe("about the logo");
  box.turn("bo", other);
  expect(text()).toBe("to Bo");
});

test("with another target the text goes along, and what was begun there stays beside", async () => {
  const drafts = opened();
  drafts.change(placeKey(other), other, "begun for Bo");
  const { box, type, text } = boxIn(drafts);
  box.turn("feed", logo);
  type("half a thought");
  box.turn("feed", other);
  expect(text()).toBe("half a thought");
  await drafts.flush();
  expect(texts().sort()).toEqual(["begun for Bo", "half a thought"]);
  expect(drafts.of(key)).toBeUndefined();
});

test("sending takes the draft away, and not what was typed meanwhile", async () => {
  const drafts = opened();
  const { box, type, text } = boxIn(drafts);
  box.turn("logo", logo);
  type("first");
  type("first and more");
  box.sent("first", logo);
  expect(text()).toBe("first and more");
  expect(drafts.of(key)?.text).toBe("first and more");
  box.sent("first and more", logo);
  expect([text(), drafts.of(key)]).toEqual(["", undefined]);
});
