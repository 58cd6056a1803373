// A draft is created once, even if the request to create it got no response.
import { beforeEach, expect, test } from "bun:test";
import { NoResponse } from "../../src/web/api/http.ts";
import { Drafts } from "../../src/web/features/drafts/drafts-sync.ts";
import type { ServerDraft } from "../../src/web/features/drafts/server-sync.ts";
import { keyOfConversation } from "../../src/web/conversation-keys.ts";
import type { StoredDraftRow } from "../../src/web/sync/personal-database.ts";
import type { ConversationRef } from "../../src/web/views.ts";
import { ManualClock } from "./manual-clock.ts";
import { rowsByPlace } from "./rows-in-memory.ts";

const logo: ConversationRef = { stream_id: 5, topic: "logo" };
const key = keyOfConversation(logo);
/** After this time, drafts are stored on the server. */
const PAUSE_MS = 2000;

let clock: ManualClock;
let disk: Map<string, StoredDraftRow>;
/** Drafts of the server, and the ids of which an event has arrived. */
let [stored, reported]: [Map<number, ServerDraft>, Set<number>] = [new Map(), new Set()];
let [isAnswered, isConnected] = [true, true];
beforeEach(() => {
  [clock, disk, stored, reported] = [new ManualClock(), new Map(), new Map(), new Set()];
  [isAnswered, isConnected] = [true, true];
});

function openDrafts(): Drafts {
  const sharing = {
    isOn: () => true,
    isCurrent: () => isConnected,
    drafts: () => [...stored.values()].filter(({ id }) => reported.has(id)),
    fetchAll: async () => [...stored.values()],
    newest: () => Math.max(0, ...reported),
    async add(to: ConversationRef, content: string, changed: number) {
      const id = stored.size + 1;
      stored.set(id, { id, to, content, changed });
      if (!isAnswered) throw new NoResponse("no response");
      return id;
    },
    async edit(id: number, to: ConversationRef, content: string, changed: number) {
      stored.set(id, { id, to, content, changed });
      if (!isAnswered) throw new NoResponse("no response");
    },
    remove: async (id: number) => void stored.delete(id),
  };
  return new Drafts(rowsByPlace(disk), sharing, clock, keyOfConversation);
}

async function type(drafts: Drafts, text: string): Promise<void> {
  drafts.change(key, logo, text);
  await clock.passTime(PAUSE_MS);
  await drafts.settled();
}

const contents = () => [...stored.values()].map(({ content }) => content);

test("changes the draft that an unanswered request has created, before its event", async () => {
  const drafts = openDrafts();
  isAnswered = false;
  await type(drafts, "half");
  isAnswered = true;
  await type(drafts, "half and whole");
  expect(contents()).toEqual(["half and whole"]);
  expect(drafts.of(key)).toMatchObject({ draft_id: 1, synced: "half and whole" });
});

test("finds it again after a change that got no response either", async () => {
  const drafts = openDrafts();
  isAnswered = false;
  await type(drafts, "half");
  await type(drafts, "half and more");
  isAnswered = true;
  await type(drafts, "half and whole");
  expect(contents()).toEqual(["half and whole"]);
  expect(drafts.of(key)).toMatchObject({ draft_id: 1, synced: "half and whole" });
});

test("does not overwrite a draft that another client has changed meanwhile", async () => {
  const drafts = openDrafts();
  isAnswered = false;
  await type(drafts, "half");
  stored.set(1, { ...stored.get(1)!, content: "theirs" });
  isAnswered = true;
  await type(drafts, "half and whole");
  expect(contents()).toEqual(["theirs", "half and whole"]);
});

test("finds the draft of an unanswered request on the next page, too", async () => {
  const drafts = openDrafts();
  isAnswered = false;
  await type(drafts, "half");
  isConnected = false;
  await type(drafts, "half and whole");
  [isAnswered, isConnected] = [true, true];
  // The register response contains it.
  reported.add(1);
  const next = openDrafts();
  await next.load();
  next.share();
  await next.settled();
  expect(contents()).toEqual(["half and whole"]);
});
