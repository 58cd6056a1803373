// Opens all that keeps a tab's state true and gets what is written to the server.
import { type Signal, signal } from "@preact/signals";
import { type World, world } from "../api/ask.ts";
import { csrfToken } from "../api/session.ts";
import { isStarted } from "../live.ts";
import { untilThere } from "../scripts.ts";
import { onScreen } from "../shown.ts";
import type { Event } from "../snapshot.ts";
import type { Desk } from "./desk.ts";
import type { Outbox } from "./outbox.ts";
import { Sync } from "./sync.ts";
import { Tab } from "./tab.ts";

export interface Opened {
  readonly sync: Sync;
  readonly desk: Signal<Desk | undefined>;
}

/** `shown`: keys of the views that the page starts with, which are read from the disk first. */
export function openSync(shown: readonly string[] = [], in_world: World = world): Opened {
  const sync = new Sync(in_world);
  const tab = new Tab(sync, in_world, csrfToken);
  const desk = signal<Desk | undefined>(undefined);
  let opening: Promise<void> | undefined;
  /** Events before the desk was created, which may confirm messages of an earlier page. */
  let early: readonly Event[] = [];
  const openDesk = () => {
    if (sync.user_id === undefined || !isStarted.value) return;
    opening ??= deskOf(sync, sync.user_id, in_world).then((opened) => {
      desk.value = opened;
      void settle(opened.outbox, early);
      early = [];
    });
  };
  sync.listen((events) => {
    openDesk();
    const { value: open } = desk;
    if (!open) {
      if (opening) early = [...early, ...events];
      return;
    }
    open.doings.show(events);
    void settle(open.outbox, events);
  });
  void sync.fromDisk(shown);
  tab.start();
  return { sync, desk };
}

async function deskOf(sync: Sync, user_id: number, in_world: World): Promise<Desk> {
  await onScreen();
  const { openDesk } = await untilThere(() => import("./desk.ts"));
  return openDesk(sync, user_id, in_world);
}

/** Removes messages that have arrived as events. */
async function settle(outbox: Outbox, events: readonly Event[]): Promise<void> {
  // All at once, so that nothing is shown twice while the disk works.
  const arrived = events.filter((event) => event.type === "message");
  await Promise.all(
    arrived.map(({ message, local_message_id }) =>
      outbox.arrived({ id: message.id, local_message_id }),
    ),
  );
}
