// The frame: places at the side, the sheet of the view, and what is said of the connection.
import { effect } from "@preact/signals";
import { onSheet } from "../../address.ts";
import { sync } from "../../here.ts";
import { keyed, known } from "../../live.ts";
import { Boundary } from "../../failures/boundary.tsx";
import { layers } from "../../ui/layers.ts";
import { Toasts } from "../../ui/toast.tsx";
import { later, lazy } from "../../ui/lazy.tsx";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { isBeside, isOver } from "../people/panel-open.ts";
import { Rail } from "../rail/view.tsx";
import { isDrawerOpen } from "../rail/drawer.ts";
import { density } from "../settings/density.ts";
import { applySettings } from "./settings.ts";
import { Sheet } from "./views.tsx";

/** Used only on phones. */
const Panel = later(async () => (await import("../people/panel.tsx")).Panel);
const Visit = lazy(async () => (await import("../visit/view.tsx")).Visit);
const TabBar = later(async () => (await import("../rail/tabbar.tsx")).TabBar);

// Before anything is drawn by them: what changes the root has the whole page measured anew.
effect(() => {
  keyed("settings");
  const state = known();
  if (state) applySettings(state.settings.settings);
});
effect(() => {
  document.documentElement.dataset["density"] = density.value;
});

export function App() {
  const state = known();
  const standing = sync.standing.value.kind;
  if (standing === "visiting") return <Visit />;
  if (!state) return <main class="sheet" id="main" aria-busy="true" data-standing={standing} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {say("skip")}
      </a>
      <div class="app" data-drawer={isDrawerOpen.value ? "" : undefined}>
        <Boundary instead={null}>
          <Rail />
        </Boundary>
        <main class="sheet" id="main" tabIndex={-1} data-standing={standing}>
          <Sheet />
          {layers.value.map(({ id, node }) => (
            <Boundary key={id}>{node}</Boundary>
          ))}
          <Toasts />
        </main>
        {(isBeside.value || isOver.value) && hasPanel(onSheet.value) && <Panel />}
        <TabBar />
      </div>
    </>
  );
}

/** People stand beside messages and topics. */
const hasPanel = ({ kind }: View) => kind === "messages" || kind === "topics";

/** The address stays: it is of a view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
