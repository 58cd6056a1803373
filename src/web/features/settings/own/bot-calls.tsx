// The latest calls of a webhook with their results, loaded on demand.
import { useSignal } from "@preact/signals";
import { type BotCall, fetchBotCalls } from "../../../api/account-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { formatBrief, formatMoment } from "../../../words/dates.ts";
import { t, type TextKey } from "../../../words/words.ts";
import type { Attempt } from "../setting-frame.tsx";

const OUTCOMES: Readonly<Record<BotCall["outcome"], TextKey>> = {
  said: "settings-bot-call-said",
  quiet: "settings-bot-call-quiet",
  "put off": "settings-bot-call-put-off",
  failed: "settings-bot-call-failed",
};
const isSuccess = ({ outcome }: BotCall) => outcome === "said" || outcome === "quiet";

export function BotCalls({
  bot_id,
  name,
  attempt,
}: {
  bot_id: number;
  name: string;
  attempt: Attempt;
}) {
  const calls = useSignal<readonly BotCall[] | undefined>(undefined);
  const loadCalls = () =>
    attempt(async () => {
      calls.value = (await fetchBotCalls(sync, { bot_id })).calls;
    });
  const isOpen = calls.value !== undefined;
  return (
    <div class="bot-calls">
      <Button
        aria-label={t("settings-bot-calls-of", { name })}
        aria-expanded={isOpen}
        onClick={() => void (isOpen ? (calls.value = undefined) : loadCalls())}
      >
        {t("settings-bot-calls")}
      </Button>
      {calls.value && (
        <div role="region" aria-label={t("settings-bot-calls-of", { name })}>
          {calls.value.length === 0 && <p class="settings-intro">{t("settings-bot-calls-none")}</p>}
          <ol>
            {calls.value.map((call, index) => (
              <CallDetails key={index} call={call} />
            ))}
          </ol>
          <Button kind="quiet" onClick={() => void loadCalls()}>
            {t("settings-bot-calls-again")}
          </Button>
        </div>
      )}
    </div>
  );
}

function CallDetails({ call }: { call: BotCall }) {
  const { timestamp, status, duration_ms, message_id, why } = call;
  return (
    <li data-failed={isSuccess(call) ? undefined : ""}>
      <Icon name={isSuccess(call) ? "check" : "alert"} size={16} />
      <div>
        <p>
          <b>{t(OUTCOMES[call.outcome])}</b>{" "}
          {message_id !== null && (
            <a href={`/m/${message_id}`} target="_blank" rel="noopener">
              {t("message")}
            </a>
          )}
        </p>
        <small>
          <time dateTime={new Date(timestamp * 1000).toISOString()} title={formatMoment(timestamp)}>
            {formatBrief(timestamp, Date.now() / 1000)}
          </time>
          {status !== null && ` · ${t("settings-bot-call-status", { status })}`}
          {duration_ms !== null && ` · ${t("settings-bot-call-took", { ms: duration_ms })}`}
        </small>
        {why !== null && (
          <small lang="en" dir="auto">
            {why}
          </small>
        )}
      </div>
    </li>
  );
}
