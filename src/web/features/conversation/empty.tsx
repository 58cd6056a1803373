// The text of an empty view: what it is for, and how to start.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { runCommand } from "../../commands.ts";
import { keyed, known } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import { saidOf } from "../channels/said.ts";
import { isMeant } from "../search/query.ts";

interface Emptied {
  terms: readonly NarrowTerm[];
  /** The server gives nothing of it. */
  isRefused?: boolean;
}

export function Empty({ terms, isRefused = false }: Emptied) {
  // Or it leads to a message that is gone, or of other people's direct messages.
  if (isRefused || terms.some(({ operator }) => operator === "near"))
    return <Refusal terms={terms} />;
  const [first] = terms;
  const isOnly = terms.length === 1 && first?.negated === false;
  if (isOnly && first.operator === "channel") {
    return <NewChannel stream_id={Number(first.operand)} />;
  }
  const is = isOnly && first.operator === "is" ? first.operand : undefined;
  const words =
    is === "starred" ? "none-starred" : is === "mentioned" ? "none-mentioned" : "nothing-here";
  return <p class="feed-note">{say(words)}</p>;
}

/** Why nothing is shown: it asks for what there is not, or for what one may not see. */
function Refusal({ terms }: { terms: readonly NarrowTerm[] }) {
  return (
    <p class="feed-note" role="alert">
      {say(terms.every(isMeant) ? "not-for-you" : "search-means-nothing")}
    </p>
  );
}

/** The channel is empty, or the user cannot see it. */
export function NewChannel({ stream_id }: { stream_id: number }) {
  keyed("channels");
  const row = known()?.channels.channels.get(stream_id)?.row;
  if (known() && !row) return <p class="feed-note">{say("no-channel")}</p>;
  return (
    <div class="feed-note empty-note">
      {row && row.description !== "" && <p dir="auto">{saidOf(row)}</p>}
      <p>{say("topics-none")}</p>
      {known() && (
        <Button kind="primary" onClick={() => runCommand("new-message")}>
          {say("first-topic")}
        </Button>
      )}
    </div>
  );
}
