// The organization settings that match a search.
import { t } from "../../../words/words.ts";
import { sectionsFor } from "../../settings/rows.ts";
import { OrganizationRows } from "./row-view.tsx";
import { ALL_ROWS } from "./table.ts";

/** `hasOtherResults`: the search has found other settings already. */
export function SearchResults({
  search,
  hasOtherResults,
}: {
  search: string;
  hasOtherResults: boolean;
}) {
  const sections = sectionsFor(ALL_ROWS, search, t);
  if (sections.length > 0) return <OrganizationRows sections={sections} />;
  return hasOtherResults ? null : <p class="settings-intro">{t("settings-none")}</p>;
}
