// The component of each kind of view, loaded when first shown unless it shows messages.
import { ownValue } from "../../text/input/own-value.ts";
import { useEffect } from "preact/hooks";
import { sheetView, view } from "../store/address.ts";
import { subscribe, maybeState } from "../store/store.ts";
import { markShown } from "../ui/loading/scheduling.ts";
import { Boundary } from "../ui/loading/boundary.tsx";
import { Blank, BlankEnd, BlankSearch, BlankSettings } from "../ui/loading/blank.tsx";
import { lazy } from "../ui/loading/lazy.tsx";
import { EVERYTHING, type Page, type View } from "../views.ts";
import { Composer } from "../features/compose/view.tsx";
import { Bar } from "../features/conversation/bar/bar.tsx";
import { Messages } from "../features/conversation/view.tsx";
import { loadPalette } from "../features/palette/open.ts";
import { searching } from "../features/search/open-state.ts";
import { fewResults, isSearchView } from "../features/search/result-selectors.ts";
import type { NarrowTerm } from "../../text/narrow-fragment.ts";
import { ConnectionBanner } from "../features/page/connection-banner.tsx";

const BlankOfView = () => <Blank />;
const BlankPage = ({ page }: { page: Page; path: string[] }) =>
  page === "settings" || page === "organization" ? (
    <BlankSettings />
  ) : (
    <Blank hasSub={page !== "files" && page !== "first-steps"} />
  );
const Inbox = lazy(async () => (await import("../features/inbox/view.tsx")).Inbox, BlankOfView);
const Recent = lazy(async () => (await import("../features/recent/view.tsx")).Recent, BlankOfView);
const TopicList = lazy(
  async () => (await import("../features/topic-list/view.tsx")).TopicList,
  BlankOfView,
);
const OwnList = lazy(
  async () => (await import("../features/drafts/view.tsx")).OwnList,
  BlankOfView,
);
const SearchBar = lazy(
  async () => (await import("../features/search/view.tsx")).SearchBar,
  BlankSearch,
);
const ResultsEnd = lazy(
  async () => (await import("../features/search/results-end.tsx")).ResultsEnd,
  ({ terms }) => <>{fewResults(terms) !== undefined && <BlankEnd />}</>,
);
const PageShown = lazy(async () => (await import("./pages.tsx")).PageShown, BlankPage);
const PARTS = [
  Inbox,
  Recent,
  TopicList,
  OwnList,
  SearchBar,
  ResultsEnd,
  PageShown,
  { load: loadPalette },
];

export function Sheet() {
  useEffect(() => {
    if (resolveHome(view.value).kind !== "messages") markShown();
  }, [view.value]);
  useEffect(() => {
    // Safari does not support idle callbacks.
    const timer = setTimeout(
      () => void Promise.all(PARTS.map((component) => component.load())),
      1500,
    );
    return () => clearTimeout(timer);
  }, []);
  const currentView = sheetView.value;
  if (currentView.kind === "page")
    return <PageShown page={currentView.page} path={currentView.path} />;
  const narrowTerms = searching.value;
  const home = resolveHome(currentView);
  const isAsking =
    narrowTerms !== undefined && !(home.kind === "messages" && isSearchView(home.terms));
  return (
    <>
      <Boundary resetKey={JSON.stringify(home)}>
        {isAsking ? <LoadingResults terms={narrowTerms} /> : <ViewBody currentView={home} />}
      </Boundary>
      <Boundary>
        <Composer
          terms={home.kind === "messages" && !isAsking ? home.terms : undefined}
          viewKey={home.kind === "topics" ? `topics ${home.stream_id}` : home.kind}
          isSearch={home.kind === "messages" && isSearchView(home.terms)}
        />
      </Boundary>
    </>
  );
}

/** Shown before there are results. */
function LoadingResults({ terms }: { terms: readonly NarrowTerm[] }) {
  return (
    <>
      <SearchBar terms={terms} />
      <div class="scroll" />
    </>
  );
}

function ViewBody({ currentView }: { currentView: View }) {
  switch (currentView.kind) {
    case "inbox":
      return <Inbox />;
    case "recent":
      return <Recent />;
    case "topics":
      return <TopicList key={currentView.stream_id} stream_id={currentView.stream_id} />;
    case "drafts":
    case "scheduled":
    case "reminders":
      return <OwnList key={currentView.kind} kind={currentView.kind} />;
    case "messages": {
      const { terms } = currentView;
      const isSearch = isSearchView(terms);
      return (
        <>
          {isSearch ? <SearchBar terms={terms} /> : <Bar terms={terms} />}
          <Messages terms={terms} />
          {isSearch && <ResultsEnd terms={terms} />}
        </>
      );
    }
    default:
      return <ConnectionBanner />;
  }
}

const HOME_VIEWS: Readonly<Record<string, View>> = {
  inbox: { kind: "inbox" },
  recent_topics: { kind: "recent" },
  recent: { kind: "recent" },
  all_messages: EVERYTHING,
  all: EVERYTHING,
};

/** An empty or unknown address is the home view. */
export function resolveHome(currentView: View): View {
  if (currentView.kind !== "home" && currentView.kind !== "unknown") return currentView;
  subscribe("setting:web_home_view");
  const home = String(maybeState()?.settings.settings["web_home_view"] ?? "");
  return ownValue(HOME_VIEWS, home) ?? HOME_VIEWS["inbox"]!;
}
