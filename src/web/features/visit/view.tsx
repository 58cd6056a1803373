// The client for who has no account: what is open to everyone, to be read.
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import { view } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { layers } from "../../ui/layers.ts";
import { Toasts } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { isDrawerOpen } from "../rail/drawer.ts";
import { visit } from "./asking.ts";
import { VisitRail } from "./rail.tsx";
import { VisitSheet } from "./sheet.tsx";

export function Visit() {
  useEffect(visit, []);
  keyed("channels");
  if (!known()) return <main class="sheet" id="main" aria-busy="true" data-standing="visiting" />;
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {say("skip")}
      </a>
      <div class="app" data-drawer={isDrawerOpen.value ? "" : undefined}>
        <VisitRail />
        <main class="sheet" id="main" tabIndex={-1} data-standing="visiting">
          <VisitSheet shown={view.value} />
          {layers.value.map(({ id, node }) => (
            <Fragment key={id}>{node}</Fragment>
          ))}
          <Toasts />
        </main>
      </div>
    </>
  );
}

/** The address stays: it is of a view. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
