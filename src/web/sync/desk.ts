// A person's desk: what they wrote and did, from the disk to the server, whatever happens between.
import { type Signal, signal } from "@preact/signals";
import type { Asked, World } from "../api/ask.ts";
import { ask } from "../api/http.ts";
import { foldTopic } from "../features/topics/state.ts";
import { known, now, take } from "../live.ts";
import { Doings } from "./doings/doings.ts";
import type { Spot } from "./doings/heard.ts";
import { forgetChoice } from "./ending/ended.ts";
import { type Kept, openKept, type Refusal } from "./kept.ts";
import { Line, Order } from "./line.ts";
import { Outbox } from "./outbox.ts";
import type { Sync } from "./sync.ts";
import { restoreUnsent } from "./unsent/keep.ts";
import { learnAccountKey } from "./unsent/key.ts";

/** Objects of a user, created when the user is known. */
export interface Desk {
  readonly kept: Kept;
  readonly outbox: Outbox;
  readonly doings: Doings;
  /** Errors of rejected actions until they are displayed. */
  readonly refusals: Signal<readonly Refusal[]>;
  /** Bumped whenever something that waits for the server changes. */
  readonly outgoing: Signal<number>;
}

const NAME_BYTES = 12;

export async function openDesk(sync: Sync, user_id: number, world: World): Promise<Desk> {
  forgetChoice(sync.session);
  const kept = await openKept(user_id);
  sync.leaving.close(() => kept.close());
  const failed = (error: unknown) => sync.noticed(error);
  const asOnce = { ask: <T>(asked: Asked) => ask<T>(sync.asLeader().asking, asked) };
  // Without an answer, they stay until the next start.
  await restoreUnsent(asOnce, user_id, kept).catch(failed);
  const outgoing = signal(0);
  const refusals = signal<readonly Refusal[]>([]);
  const lines = { send: new Line(world, failed), other: new Line(world, failed) };
  const order = new Order();
  const changed = () => void (outgoing.value += 1);
  const shared = { able: sync, world, order, uniqueName, changed };
  const outbox = new Outbox({
    ...shared,
    rows: kept.outbox,
    line: lines.send,
    queueId: () => sync.place?.queue_id,
    newest: () => known()?.messages.newest ?? -1,
  });
  const doings = new Doings({
    ...shared,
    rows: kept.doings,
    user_id,
    lines,
    take,
    stillIn,
    tellTakenBack: (key) => sync.tell({ kind: "taken-back", key }),
    refused: (refusal) => void (refusals.value = [...refusals.peek(), refusal]),
  });
  await Promise.all([outbox.load(), doings.load()]);
  doings.hurry();
  sync.takenBack = (key) => doings.takenBack(key);
  sync.listen(() => void outbox.caughtUp());
  for (const wake of ["online", "focus"]) window.addEventListener(wake, () => doings.hurry());
  window.addEventListener("pagehide", () => doings.leave());
  sync.standing.subscribe(({ kind }) => {
    if (kind !== "live") return;
    doings.hurry();
    void learnAccountKey(sync, user_id).catch(() => undefined);
  });
  return { kept, outbox, doings, refusals, outgoing };
}

/** The place of unseen messages is known if they are unread. */
function stillIn(ids: readonly number[], { stream_id, topic }: Spot): number[] {
  const { messages, unread } = now();
  return ids.filter((id) => {
    const message = messages.byId.get(id);
    const place = unread.placeOf.get(id);
    if (!message && !place) return true;
    const at = message ? message.subject : place!.topic;
    return (message ?? place)!.stream_id === stream_id && foldTopic(at) === foldTopic(topic);
  });
}

/** `crypto.randomUUID` is there over https only. */
function uniqueName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
