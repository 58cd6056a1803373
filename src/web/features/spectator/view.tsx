// The client for spectators: read access to public channels.
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { view } from "../../store/address.ts";
import { subscribe, maybeState } from "../../store/store.ts";
import { isTopWithoutTransition, layers } from "../../ui/layer-state.ts";
import { BlankApp } from "../../ui/loading/blank.tsx";
import { Toasts } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { isDrawerOpen } from "../sidebar/drawer-state.ts";
import { visit } from "./data.ts";
import { SpectatorSidebar } from "./sidebar.tsx";
import { SpectatorSheet } from "./sheet.tsx";

export function SpectatorApp({ attempt }: { attempt: string }) {
  useEffect(visit, []);
  subscribe("channels");
  if (!maybeState()) return <BlankApp attempt={attempt} />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {t("skip")}
      </a>
      <div class="app" data-drawer={isDrawerOpen.value ? "" : undefined}>
        <SpectatorSidebar />
        <main
          class="sheet"
          id="main"
          tabIndex={-1}
          data-connection={attempt}
          data-still={isTopWithoutTransition() ? "" : undefined}
        >
          <SpectatorSheet shown={view.value} />
          {layers.value.map(({ id, node }) => (
            <Fragment key={id}>{node}</Fragment>
          ))}
          <Toasts />
        </main>
      </div>
    </>
  );
}

/** Keeps the URL, which identifies a view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
