// The rows of the organization of whose words a search finds all.
import { say } from "../../../words/words.ts";
import { sectionsFor } from "../../settings/rows.ts";
import { OrganizationRows } from "./row-view.tsx";
import { ALL_ROWS } from "./table.ts";

/** `isElse`: something else was found already. */
export function FoundRows({ search, isElse }: { search: string; isElse: boolean }) {
  const sections = sectionsFor(ALL_ROWS, search, say);
  if (sections.length > 0) return <OrganizationRows sections={sections} />;
  return isElse ? null : <p class="settings-intro">{say("settings-none")}</p>;
}
