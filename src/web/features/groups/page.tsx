// The pages of groups, by their address: the list, a new one, one of them.
import { GroupBrowser } from "./browser.tsx";
import { GroupEditor } from "./edit.tsx";
import { NewGroup } from "./new.tsx";
import { groupPageOf } from "./route.ts";

export function GroupsPage({ path }: { path: readonly string[] }) {
  const page = groupPageOf(path);
  if (page.kind === "new") return <NewGroup />;
  if (page.kind === "one") return <GroupEditor key={page.group_id} group_id={page.group_id} />;
  return <GroupBrowser filter={page.filter} />;
}
