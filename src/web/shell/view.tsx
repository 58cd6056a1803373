// The layout of the app: sidebar, view, panel, and the state of the connection.
import { effect } from "@preact/signals";
import { sheetView } from "../store/address.ts";
import { sync } from "../sync/session.ts";
import { subscribe, maybeState } from "../store/store.ts";
import { Boundary } from "../ui/loading/boundary.tsx";
import { isTopWithoutTransition, layers } from "../ui/layer-state.ts";
import { Toasts } from "../ui/toast.tsx";
import { BlankApp, BlankPanel, BlankTabs } from "../ui/loading/blank.tsx";
import { lazyAfterFirstView, lazy } from "../ui/loading/lazy.tsx";
import { conversationOf, type View } from "../views.ts";
import { t } from "../words/words.ts";
import { isBeside, isOver } from "../features/people/panel-state.ts";
import { Sidebar } from "../features/sidebar/view.tsx";
import { isDrawerOpen, sidebarWidth } from "../features/sidebar/drawer-state.ts";
import { density } from "../features/settings/density.ts";
import { applySettings } from "./settings.ts";
import { Sheet } from "./views.tsx";

const Panel = lazyAfterFirstView(
  async () => (await import("../features/people/panel.tsx")).Panel,
  BlankPanel,
);
const SpectatorApp = lazy(
  async () => (await import("../features/spectator/view.tsx")).SpectatorApp,
  BlankApp,
);
/** Displayed only on phones. */
const TabBar = lazyAfterFirstView(
  async () => (await import("../features/sidebar/tabbar.tsx")).TabBar,
  BlankTabs,
);

// Runs before rendering, because changes of the root element force a new layout of the page.
effect(() => {
  subscribe("settings");
  const state = maybeState();
  if (state) applySettings(state.settings.settings);
});
effect(() => {
  document.documentElement.dataset["density"] = density.value;
});
effect(() => {
  document.documentElement.style.setProperty("--sidebar-width", `${sidebarWidth.value}px`);
});

export function App() {
  const state = maybeState();
  const attempt = sync.connection.value.kind;
  if (attempt === "visiting") return <SpectatorApp attempt={attempt} />;
  if (!state) return <BlankApp attempt={attempt} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {t("skip")}
      </a>
      <div class="app" data-drawer={isDrawerOpen.value ? "" : undefined}>
        <Boundary fallback={null}>
          <Sidebar />
        </Boundary>
        <main
          class="sheet"
          id="main"
          tabIndex={-1}
          data-connection={attempt}
          data-still={isTopWithoutTransition() ? "" : undefined}
        >
          <Sheet />
          {layers.value.map(({ id, node }) => (
            <Boundary key={id}>{node}</Boundary>
          ))}
          <Toasts />
        </main>
        {(isBeside.value || isOver.value) && hasPanel(sheetView.value) && <Panel />}
        {!isConversation(sheetView.value, state.people.me) && <TabBar />}
      </div>
    </>
  );
}

/** The panel is beside messages and topics. */
const hasPanel = ({ kind }: View) => kind === "messages" || kind === "topics";

/** Conversations use the full height of phones. */
const isConversation = (currentView: View, me: number): boolean =>
  currentView.kind === "messages" && conversationOf(currentView.terms, me) !== undefined;

/** Keeps the URL, which identifies a view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
