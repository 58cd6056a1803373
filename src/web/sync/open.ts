// Opens all that keeps a tab's state true and gets what is written to the server.
import { type Signal, signal } from "@preact/signals";
import { type World, world } from "../api/ask.ts";
import { csrfToken } from "../api/session.ts";
import { isStarted } from "../live.ts";
import type { Event } from "../snapshot.ts";
import { type Kept, openKept } from "./kept.ts";
import { Outbox } from "./outbox.ts";
import { Sync } from "./sync.ts";
import { Tab } from "./tab.ts";

/** What belongs to a person, from when it is known who that is. */
export interface Desk {
  readonly kept: Kept;
  readonly outbox: Outbox;
  /** Bumped whenever something in the outbox changes. */
  readonly outgoing: Signal<number>;
}

export interface Opened {
  readonly sync: Sync;
  readonly desk: Signal<Desk | undefined>;
}

const NAME_BYTES = 12;

export function openSync(in_world: World = world): Opened {
  const sync = new Sync(in_world);
  const tab = new Tab(sync, in_world, csrfToken);
  const desk = signal<Desk | undefined>(undefined);
  let opening: Promise<void> | undefined;
  const openDesk = () => {
    if (sync.user_id === undefined || !isStarted.value) return;
    opening ??= deskOf(sync, sync.user_id, in_world).then((opened) => void (desk.value = opened));
  };
  sync.listen((events) => {
    openDesk();
    const { value: open } = desk;
    if (open) void settle(open.outbox, events);
  });
  void sync.fromDisk();
  tab.start();
  return { sync, desk };
}

async function deskOf(sync: Sync, user_id: number, in_world: World): Promise<Desk> {
  const kept = await openKept(user_id);
  const outgoing = signal(0);
  const outbox = new Outbox({
    able: sync,
    rows: kept.outbox,
    world: in_world,
    uniqueName,
    queueId: () => sync.place?.queue_id,
    changed: () => void (outgoing.value += 1),
    failed: (error) => sync.noticed(error),
  });
  await outbox.load();
  outbox.hurry();
  for (const wake of ["online", "focus"]) window.addEventListener(wake, () => outbox.hurry());
  sync.standing.subscribe(({ kind }) => {
    if (kind === "live") outbox.hurry();
  });
  return { kept, outbox, outgoing };
}

/** What has come back as a message is no longer on its way. */
async function settle(outbox: Outbox, events: readonly Event[]): Promise<void> {
  // All at once, so that nothing is shown twice while the disk works.
  const arrived = events.filter((event) => event.type === "message");
  await Promise.all(
    arrived.map(({ message, local_message_id }) =>
      outbox.arrived({ id: message.id, local_message_id }),
    ),
  );
}

/** `crypto.randomUUID` is there over https only. */
function uniqueName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
