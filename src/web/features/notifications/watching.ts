// Tells which view is visible in any tab, by locks named after the view.
import { effect } from "@preact/signals";
import { view } from "../../address.ts";
import { sync } from "../../here.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";

const prefix = () => `skein-looks-${sync.session} `;

let letGo = () => {};
let held: string | undefined;

/** From now on what this tab shows counts while it has the focus; a tab that dies lets go. */
export function startWatching(): void {
  if (!navigator.locks) return;
  effect(() => {
    void view.value;
    look();
  });
  addEventListener("focus", look);
  addEventListener("blur", look);
  document.addEventListener("visibilitychange", look);
}

function look(): void {
  const shown = view.peek();
  const isLooking = document.hasFocus() && !document.hidden && shown.kind === "messages";
  const name = isLooking ? prefix() + JSON.stringify(shown.terms) : undefined;
  if (name === held) return;
  letGo();
  held = name;
  if (name === undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  letGo = resolve;
  void navigator.locks.request(name, { mode: "shared" }, () => promise);
}

/** In any tab of this session. */
export async function watchedViews(): Promise<readonly NarrowTerm[][]> {
  if (!navigator.locks) return [];
  const { held: locks = [] } = await navigator.locks.query();
  const start = prefix();
  return locks.flatMap(({ name = "" }) =>
    name.startsWith(start) ? [JSON.parse(name.slice(start.length)) as NarrowTerm[]] : [],
  );
}
