// The pages that take the place of a view, each fetched when it is first shown.
import { useKeptFocus } from "../../ui/keep-focus.ts";
import { lazy } from "../../ui/lazy.tsx";
import type { Page } from "../../views.ts";

const Settings = lazy(async () => (await import("../settings/view.tsx")).SettingsPage);
const ChannelsPage = lazy(async () => (await import("../channels/page.tsx")).ChannelsPage);
const GroupsPage = lazy(async () => (await import("../groups/page.tsx")).GroupsPage);
const FirstSteps = lazy(async () => (await import("../founding/page.tsx")).FirstSteps);
const FilesPage = lazy(async () => (await import("../files/page.tsx")).FilesPage);

const PAGES: Partial<Record<Page, typeof Settings>> = {
  settings: Settings,
  organization: Settings,
  channels: ChannelsPage,
  groups: GroupsPage,
  "first-steps": FirstSteps,
  files: FilesPage,
};

export function PageShown({ page, path }: { page: Page; path: string[] }) {
  useKeptFocus(() => document.getElementById("main"));
  const Shown = PAGES[page]!;
  return <Shown page={page} path={path} />;
}
