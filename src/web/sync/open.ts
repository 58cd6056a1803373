// Opens everything that keeps a tab's state current and sends the user's actions to the server.
import { type Signal, signal } from "@preact/signals";
import { type Runtime, browserRuntime } from "../api/runtime.ts";
import { csrfToken } from "../api/session.ts";
import { isStarted } from "../store/store.ts";
import { importOrReload } from "../scripts.ts";
import { afterNextFrame } from "../ui/loading/scheduling.ts";
import type { Event } from "../contract/snapshot.ts";
import type { PersonalStore } from "./personal-store.ts";
import { Sync } from "./sync.ts";
import { Tab } from "./tab.ts";

interface OpenedSync {
  readonly sync: Sync;
  readonly personal: Signal<PersonalStore | undefined>;
}

/** `shown`: keys of the initial views, which are read from the cache first. */
export function openSync(
  viewKeys: readonly string[] = [],
  runtime: Runtime = browserRuntime,
): OpenedSync {
  const sync = new Sync(runtime);
  const tab = new Tab(sync, runtime, csrfToken);
  const personal = signal<PersonalStore | undefined>(undefined);
  let opening: Promise<void> | undefined;
  /**
   * Events that arrived before the store was opened. They may confirm messages of an earlier page.
   */
  let early: readonly Event[] = [];
  const openStore = () => {
    if (sync.user_id === undefined || !isStarted.value) return;
    opening ??= storeOf(sync, sync.user_id, runtime).then((store) => {
      personal.value = store;
      store.mutations.onEvents(early);
      early = [];
    });
  };
  sync.listen((events) => {
    openStore();
    const { value: open } = personal;
    if (!open) {
      if (opening) early = [...early, ...events];
      return;
    }
    open.mutations.receiveEvents(events);
  });
  void sync.fromDisk(viewKeys);
  tab.start();
  return { sync, personal };
}

async function storeOf(sync: Sync, user_id: number, runtime: Runtime): Promise<PersonalStore> {
  await afterNextFrame();
  const { openPersonalStore } = await importOrReload(() => import("./personal-store.ts"));
  return openPersonalStore(sync, user_id, runtime);
}
