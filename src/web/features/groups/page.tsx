// Group pages by URL: the list, a new group, and single groups.
import { GroupBrowser } from "./browser.tsx";
import { GroupEditor } from "./edit.tsx";
import { NewGroup } from "./new.tsx";
import { groupPageOf } from "./route-rules.ts";

export function GroupsPage({ path }: { path: readonly string[] }) {
  const page = groupPageOf(path);
  if (page.kind === "new") return <NewGroup />;
  if (page.kind === "one") return <GroupEditor key={page.group_id} group_id={page.group_id} />;
  return <GroupBrowser filter={page.filter} />;
}
