// The pages that replace a view, each loaded when it is first shown.
import { useRestoredFocus } from "../ui/keep-focus.ts";
import { Blank, BlankSettings } from "../ui/loading/blank.tsx";
import { lazy } from "../ui/loading/lazy.tsx";
import type { Page } from "../views.ts";

const BlankOfView = () => <Blank />;
/** Some pages have only a title in their bar. */
const BlankTitled = () => <Blank hasSub={false} />;
const Settings = lazy(
  async () => (await import("./settings/view.tsx")).SettingsPage,
  BlankSettings,
);
const ChannelsPage = lazy(
  async () => (await import("../features/channels/page.tsx")).ChannelsPage,
  BlankOfView,
);
const GroupsPage = lazy(
  async () => (await import("../features/groups/page.tsx")).GroupsPage,
  BlankOfView,
);
const FirstSteps = lazy(
  async () => (await import("../features/onboarding/page.tsx")).FirstSteps,
  BlankTitled,
);
const FilesPage = lazy(
  async () => (await import("../features/files/page.tsx")).FilesPage,
  BlankTitled,
);

const PAGES: Partial<Record<Page, typeof Settings>> = {
  settings: Settings,
  organization: Settings,
  channels: ChannelsPage,
  groups: GroupsPage,
  "first-steps": FirstSteps,
  files: FilesPage,
};

export function PageShown({ page, path }: { page: Page; path: string[] }) {
  useRestoredFocus(() => document.getElementById("main"));
  const Shown = PAGES[page]!;
  return <Shown page={page} path={path} />;
}
