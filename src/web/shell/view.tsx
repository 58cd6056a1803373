// The layout of the app: sidebar, view, panel, and the state of the connection.
import { effect } from "@preact/signals";
import { sheetView } from "../store/address.ts";
import { sync } from "../sync/session.ts";
import { subscribe, known } from "../store/store.ts";
import { Boundary } from "../ui/loading/boundary.tsx";
import { layers } from "../ui/layer-state.ts";
import { Toasts } from "../ui/toast.tsx";
import { later, lazy } from "../ui/loading/lazy.tsx";
import type { View } from "../views.ts";
import { t } from "../words/words.ts";
import { isBeside, isOver } from "../features/people/panel-state.ts";
import { Rail } from "../features/sidebar/view.tsx";
import { isDrawerOpen } from "../features/sidebar/drawer-state.ts";
import { density } from "../features/settings/density.ts";
import { applySettings } from "./settings.ts";
import { Sheet } from "./views.tsx";

/** Used only on phones. */
const Panel = later(async () => (await import("../features/people/panel.tsx")).Panel);
const Visit = lazy(async () => (await import("../features/spectator/view.tsx")).Visit);
const TabBar = later(async () => (await import("../features/sidebar/tabbar.tsx")).TabBar);

// Runs before rendering, because changes of the root element force a new layout of the page.
effect(() => {
  subscribe("settings");
  const state = known();
  if (state) applySettings(state.settings.settings);
});
effect(() => {
  document.documentElement.dataset["density"] = density.value;
});

export function App() {
  const state = known();
  const attempt = sync.standing.value.kind;
  if (attempt === "visiting") return <Visit />;
  if (!state) return <main class="sheet" id="main" aria-busy="true" data-standing={attempt} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {t("skip")}
      </a>
      <div class="app" data-drawer={isDrawerOpen.value ? "" : undefined}>
        <Boundary instead={null}>
          <Rail />
        </Boundary>
        <main class="sheet" id="main" tabIndex={-1} data-standing={attempt}>
          <Sheet />
          {layers.value.map(({ id, node }) => (
            <Boundary key={id}>{node}</Boundary>
          ))}
          <Toasts />
        </main>
        {(isBeside.value || isOver.value) && hasPanel(sheetView.value) && <Panel />}
        <TabBar />
      </div>
    </>
  );
}

/** The panel is beside messages and topics. */
const hasPanel = ({ kind }: View) => kind === "messages" || kind === "topics";

/** Keeps the URL, which identifies a view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
