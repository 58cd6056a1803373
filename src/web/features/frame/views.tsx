// The component of each kind of view, loaded when first shown unless it shows messages.
import { ownValue } from "../../../text/input/own-value.ts";
import { useEffect } from "preact/hooks";
import { onSheet, view } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { markShown } from "../../shown.ts";
import { Boundary } from "../../failures/boundary.tsx";
import { lazy } from "../../ui/lazy.tsx";
import { EVERYTHING, type View } from "../../views.ts";
import { Composer } from "../compose/view.tsx";
import { Bar } from "../conversation/bar.tsx";
import { Messages } from "../conversation/view.tsx";
import { loadPalette } from "../palette/open.ts";
import { isFound, searching } from "../search/open.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { Strip } from "./strip.tsx";

const Inbox = lazy(async () => (await import("../inbox/view.tsx")).Inbox);
const Recent = lazy(async () => (await import("../recent/view.tsx")).Recent);
const TopicList = lazy(async () => (await import("../topics/list.tsx")).TopicList);
const OwnList = lazy(async () => (await import("../drafts/view.tsx")).OwnList);
const SearchBar = lazy(async () => (await import("../search/view.tsx")).SearchBar);
const SearchFoot = lazy(async () => (await import("../search/foot.tsx")).SearchFoot);
const PageShown = lazy(async () => (await import("./pages.tsx")).PageShown);
const PARTS = [
  Inbox,
  Recent,
  TopicList,
  OwnList,
  SearchBar,
  SearchFoot,
  PageShown,
  { load: loadPalette },
];

export function Sheet() {
  useEffect(() => {
    if (atHome(view.value).kind !== "messages") markShown();
  }, [view.value]);
  useEffect(() => {
    // Safari has no word for being idle.
    const timer = setTimeout(() => void Promise.all(PARTS.map((part) => part.load())), 1500);
    return () => clearTimeout(timer);
  }, []);
  const shown = onSheet.value;
  if (shown.kind === "page") return <PageShown page={shown.page} path={shown.path} />;
  const asked = searching.value;
  const home = atHome(shown);
  const isAsking = asked !== undefined && !(home.kind === "messages" && isFound(home.terms));
  return (
    <>
      <Boundary of={JSON.stringify(home)}>
        {isAsking ? <Asking terms={asked} /> : <Shown shown={home} />}
      </Boundary>
      <Boundary>
        <Composer
          terms={home.kind === "messages" && !isAsking ? home.terms : undefined}
          at={home.kind === "topics" ? `topics ${home.stream_id}` : home.kind}
          isSearch={home.kind === "messages" && isFound(home.terms)}
        />
      </Boundary>
    </>
  );
}

/** Stands where nothing is found yet. */
function Asking({ terms }: { terms: readonly NarrowTerm[] }) {
  return (
    <>
      <SearchBar terms={terms} />
      <div class="scroll" />
    </>
  );
}

function Shown({ shown }: { shown: View }) {
  switch (shown.kind) {
    case "inbox":
      return <Inbox />;
    case "recent":
      return <Recent />;
    case "topics":
      return <TopicList key={shown.stream_id} stream_id={shown.stream_id} />;
    case "drafts":
    case "scheduled":
    case "reminders":
      return <OwnList key={shown.kind} kind={shown.kind} />;
    case "messages": {
      const { terms } = shown;
      const isSearch = isFound(terms);
      return (
        <>
          {isSearch ? <SearchBar terms={terms} /> : <Bar terms={terms} />}
          <Messages terms={terms} />
          {isSearch && <SearchFoot terms={terms} />}
        </>
      );
    }
    default:
      return <Strip />;
  }
}

const HOMES: Readonly<Record<string, View>> = {
  inbox: { kind: "inbox" },
  recent_topics: { kind: "recent" },
  recent: { kind: "recent" },
  all_messages: EVERYTHING,
  all: EVERYTHING,
};

/** An empty or unknown address is the home view. */
export function atHome(shown: View): View {
  if (shown.kind !== "home" && shown.kind !== "unknown") return shown;
  keyed("setting:web_home_view");
  const home = String(known()?.settings.settings["web_home_view"] ?? "");
  return ownValue(HOMES, home) ?? HOMES["inbox"]!;
}
