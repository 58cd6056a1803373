// The text of an empty view, which explains the view and how to start.
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go } from "../../store/address.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { subscribe, maybeState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { ChannelNotFound } from "../channels/not-found.tsx";
import { descriptionText } from "../channels/selectors.ts";
import type { ApiError } from "../../contract/api-error.ts";
import { isKnownFilter } from "../search/query-rules.ts";

interface EmptyProps {
  terms: readonly NarrowTerm[];
  /** The server's reason to return nothing for this view. */
  refusal?: ApiError | undefined;
}

export function Empty({ terms, refusal }: EmptyProps) {
  // The same text is shown if the view links to a message that was deleted or that the user cannot
  // access.
  if (refusal || terms.some(namesMessage)) return <Refusal terms={terms} refusal={refusal} />;
  const [first] = terms;
  const isOnly = terms.length === 1 && first?.negated === false;
  if (isOnly && first.operator === "channel") {
    return <NewChannel stream_id={Number(first.operand)} />;
  }
  const isOperand = isOnly && first.operator === "is" ? first.operand : undefined;
  const textKey =
    isOperand === "starred"
      ? "none-starred"
      : isOperand === "mentioned"
        ? "none-mentioned"
        : "no-messages";
  return <p class="feed-note">{t(textKey)}</p>;
}

/** Searches with operands that the server may reject, for a reason that only the server knows. */
const isSearched = ({ operator }: NarrowTerm) => operator === "search" || operator === "id";

const namesMessage = ({ operator }: NarrowTerm) => operator === "near";

/** Explains that the view is empty because its target does not exist or is not accessible. */
function Refusal({ terms, refusal }: EmptyProps) {
  subscribe("channels");
  const channel = terms.find(({ operator, negated }) => operator === "channel" && !negated);
  const channels = maybeState()?.channels.channels;
  if (channel && channels?.has(Number(channel.operand)) === false) return <ChannelNotFound />;
  if (refusal && terms.every(isKnownFilter) && terms.some(isSearched)) {
    return (
      <p class="feed-note" role="alert">
        {refusal.text}
      </p>
    );
  }
  if (terms.every(isKnownFilter)) return <NotFound terms={terms} />;
  return (
    <p class="feed-note" role="alert">
      {t("search-means-nothing")}
    </p>
  );
}

/** The same whether the target does not exist or is not accessible. */
function NotFound({ terms }: { terms: readonly NarrowTerm[] }) {
  const isDirect = terms.some(({ operator }) => operator === "dm");
  const textKey = isDirect ? "no-such-conversation" : "not-for-you";
  return (
    <div class="feed-note empty-note" role="alert">
      <p>{t(terms.some(namesMessage) ? "no-such-message" : textKey)}</p>
      {maybeState()?.people.me !== 0 && (
        <div class="empty-acts">
          <Button icon="inbox" onClick={() => go({ kind: "inbox" })}>
            {t("open-inbox")}
          </Button>
          <Button icon="search" onClick={() => runCommand("search")}>
            {t("search-messages")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The channel is empty, or the user cannot see it. */
export function NewChannel({ stream_id }: { stream_id: number }) {
  subscribe("channels");
  const row = maybeState()?.channels.channels.get(stream_id)?.row;
  if (maybeState() && !row) return <ChannelNotFound />;
  return (
    <div class="feed-note empty-note">
      {row && row.description !== "" && <p dir="auto">{descriptionText(row)}</p>}
      <p>{t("topics-none")}</p>
      {maybeState() && (
        <Button kind="primary" onClick={() => runCommand("new-message")}>
          {t("first-topic")}
        </Button>
      )}
    </div>
  );
}
