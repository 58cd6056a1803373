// Tells which view is visible in any tab, by locks named after the view.
import { effect } from "@preact/signals";
import { view } from "../../store/address.ts";
import { sync } from "../../sync/session.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";

const prefix = () => `skein-looks-${sync.session} `;

let releaseLock = () => {};
let heldLock: string | undefined;

/** From now on, the view of this tab counts while it has the focus. The lock ends with the tab. */
export function startWatching(): void {
  if (!navigator.locks) return;
  effect(() => {
    void view.value;
    update();
  });
  addEventListener("focus", update);
  addEventListener("blur", update);
  document.addEventListener("visibilitychange", update);
}

function update(): void {
  const currentView = view.peek();
  const isLooking = document.hasFocus() && !document.hidden && currentView.kind === "messages";
  const name = isLooking ? prefix() + JSON.stringify(currentView.terms) : undefined;
  if (name === heldLock) return;
  releaseLock();
  heldLock = name;
  if (name === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  releaseLock = resolve;
  void navigator.locks.request(name, { mode: "shared" }, () => promise);
}

/** The views in all tabs of this session. */
export async function watchedViews(): Promise<readonly NarrowTerm[][]> {
  if (!navigator.locks) return [];
  const { held: locks = [] } = await navigator.locks.query();
  const start = prefix();
  const names = locks.flatMap(({ name = "" }) => (name.startsWith(start) ? [name] : []));
  return names.map((name): NarrowTerm[] => JSON.parse(name.slice(start.length)));
}
