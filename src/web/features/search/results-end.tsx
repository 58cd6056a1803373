// The end of search results, with buttons to extend the search.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { fewResults } from "./result-selectors.ts";
import { operandOf, operatorOf } from "./selectors.ts";

export function ResultsEnd({ terms }: { terms: readonly NarrowTerm[] }) {
  subscribe("channels");
  const count = fewResults(terms);
  if (count === undefined) return null;
  // Archived channels are searched too, but no list counts them among the user's channels.
  const all = [...getState().channels.channels.values()].filter(({ row }) => !row.is_archived);
  const subscribedCount = all.filter(({ membership }) => membership === "subscribed").length;
  const open = all.filter(({ membership, row }) => membership !== "subscribed" && !row.invite_only);
  const hasPlace = terms.some(isPlaceTerm);
  const wider: NarrowTerm = { operator: "channels", operand: "public", negated: false };
  const pills = terms.filter(({ operator }) => operator !== "search");
  return (
    <div class="col">
      <div class="end-of" data-none={count === 0 ? "" : undefined}>
        <span role="status">
          {hasPlace
            ? t("search-found-there", { count })
            : t("search-found", { count, channels: subscribedCount })}
        </span>
        {!hasPlace && open.length > 0 && (
          <Button icon="globe" onClick={() => go({ kind: "messages", terms: [wider, ...terms] })}>
            {t("search-wider")}
          </Button>
        )}
        {terms.length > 1 &&
          pills.slice(0, 2).map((pill) => (
            <Button
              key={`${pill.operator} ${pill.operand}`}
              kind="quiet"
              icon="x"
              onClick={() => go({ kind: "messages", terms: terms.filter((term) => term !== pill) })}
            >
              {t("search-without", { pill: `${operatorOf(pill)} ${operandOf(pill)}` })}
            </Button>
          ))}
      </div>
    </div>
  );
}

const PLACE_OPERATORS = ["channel", "channels", "dm", "dm-including"];

/** Such searches cannot be extended, because they are not limited to the user's channels. */
function isPlaceTerm({ operator, operand, negated }: NarrowTerm): boolean {
  return (
    !negated && (PLACE_OPERATORS.includes(operator) || (operator === "is" && operand === "dm"))
  );
}
