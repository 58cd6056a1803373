// The list of drafts: its entries and their order.
import { expect, test } from "bun:test";
import { ownRows } from "../../src/web/features/drafts/rows.ts";
import { mergeDrafts, type StoredDraft } from "../../src/web/features/drafts/local-sync.ts";
import type { State } from "../../src/web/store/state.ts";

const SECOND = 1_700_000_000;
type Shared = { id: number; content: string; timestamp: number };

const stateWith = (drafts: Shared[]) =>
  ({
    personal: {
      drafts: new Map(
        drafts.map((draft) => [draft.id, { type: "stream", to: [4], topic: "a", ...draft }]),
      ),
    },
    people: { me: 1 },
  }) as unknown as State;

const local = (text: string, seconds: number, extra: Partial<StoredDraft> = {}): StoredDraft => ({
  place: `at ${text}`,
  to: { stream_id: 4, topic: "b" },
  text,
  changed: seconds * 1000,
  draft_id: undefined,
  synced: undefined,
  ...extra,
});

const linesOf = (state: State, own: StoredDraft[]) =>
  ownRows(state, "drafts", own).map(({ line }) => line);

test("orders drafts newest first, and by start within a second", () => {
  const shared = [
    { id: 9, content: "later", timestamp: SECOND },
    { id: 7, content: "earlier", timestamp: SECOND },
    { id: 8, content: "long ago", timestamp: SECOND - 60 },
  ];
  const own = [local("just now", SECOND + 0.4), local("and then", SECOND + 1.2)];
  expect(linesOf(stateWith(shared), own)).toEqual([
    ...["and then", "just now", "later", "earlier", "long ago"],
  ]);
  const payload = { id: 10, content: "just now", timestamp: SECOND };
  const state = stateWith([...shared, payload]);
  const draft = local("just now", SECOND + 0.4, { draft_id: 10, synced: "just now" });
  expect(linesOf(state, [draft, own[1]!])).toEqual([
    ...["and then", "just now", "later", "earlier", "long ago"],
  ]);
});

test("removes a cleared draft, and shows changes of other clients", () => {
  const drafts = new Map([7, 8, 9].map((id) => [id, { id }]));
  const emptied = local("", SECOND, { draft_id: 7, synced: "words" });
  const same = local("as it was", SECOND, { draft_id: 8, synced: "as it was" });
  const merged = mergeDrafts(drafts, [emptied, same, local("own", SECOND), local("  ", SECOND)]);
  expect(merged.shared.map(({ id }) => id)).toEqual([8, 9]);
  expect(merged.own.map(({ text }) => text)).toEqual(["own"]);
});

test("creates a new draft for text typed over a deleted one", () => {
  const merged = mergeDrafts(new Map(), [local("own", SECOND, { draft_id: 7, synced: "before" })]);
  expect(merged.own).toHaveLength(1);
});
