// The audit log, newest first, filtered by user, action and dates.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { fetchAudit } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { parseMoment } from "../../../words/moments.ts";
import { t } from "../../../words/words.ts";
import type { Picked } from "../../picker/selectors.ts";
import { Picker } from "../../picker/picker.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { AuditEntryRow } from "./audit-entry.tsx";
import { ACTION_NAMES, actionText } from "./audit-texts.ts";

type AuditEntries = Awaited<ReturnType<typeof fetchAudit>>;

const ENTRIES_A_PAGE = 50;
const DAY_SECONDS = 86_400;

export function AuditPage() {
  const person = useSignal<readonly Picked[]>([]);
  const [actionFilter, since, until] = [useSignal(""), useSignal(""), useSignal("")];
  const pages = useSignal<readonly AuditEntries[]>([]);
  const isBusy = useSignal(false);
  /** Identifies the latest request; responses to earlier ones are ignored. */
  const latestRequest = useRef({});
  const load = async (before?: number) => {
    const requestToken = (latestRequest.current = {});
    const params = {
      num: ENTRIES_A_PAGE,
      ...(person.value[0] && { user_id: person.value[0].id }),
      ...(actionFilter.value !== "" && { act: actionFilter.value }),
      ...(since.value !== "" && { since: startOf(since.value) }),
      ...(until.value !== "" && { until: startOf(until.value) + DAY_SECONDS - 1 }),
      ...(before !== undefined && { before }),
    };
    isBusy.value = true;
    await runWithToast(async () => {
      const page = await fetchAudit(sync, params);
      if (requestToken !== latestRequest.current) return;
      pages.value = before === undefined ? [page] : [...pages.value, page];
    });
    if (requestToken === latestRequest.current) isBusy.value = false;
  };
  const queryKey = `${person.value[0]?.id} ${actionFilter.value} ${since.value} ${until.value}`;
  useEffect(() => void load(), [queryKey]);
  const entries = pages.value.flatMap((page) => page.acts);
  const next = pages.value.at(-1)?.next ?? null;
  return (
    <>
      <Filters person={person} action={actionFilter} since={since} until={until} />
      <ol class="org-acts-list" aria-busy={isBusy.value}>
        {entries.map((entry) => (
          <AuditEntryRow key={entry.id} act={entry} />
        ))}
      </ol>
      {entries.length === 0 && pages.value.length > 0 && (
        <p class="empty-note">{t(next === null ? "settings-empty" : "audit-looked")}</p>
      )}
      <p class="list-foot">
        {next === null ? (
          entries.length > 0 && t("audit-end")
        ) : (
          <Button disabled={isBusy.value} onClick={() => void load(next)}>
            {t("audit-older")}
          </Button>
        )}
      </p>
      <p class="hint">{t("audit-by-command")}</p>
    </>
  );
}

/** The start of the day in the user's time zone, in seconds since 1970. */
const startOf = (day: string) => Math.floor(parseMoment(day) / 1000);

interface AuditFilterProps {
  person: Signal<readonly Picked[]>;
  action: Signal<string>;
  since: Signal<string>;
  until: Signal<string>;
}

function Filters({ person, action, since, until }: AuditFilterProps) {
  const id = useId();
  const day = (textKey: "audit-since" | "audit-until", value: Signal<string>) => (
    <label class="settings-field">
      {t(textKey)}
      <span class="field">
        <input
          type="date"
          value={value.value}
          onChange={({ currentTarget }) => (value.value = currentTarget.value)}
        />
      </span>
    </label>
  );
  return (
    <div class="org-pair org-audit-filters">
      <div class="settings-field">
        <label for={id}>{t("audit-who")}</label>
        <Picker
          id={id}
          label={t("audit-who")}
          isLabelled
          placeholder={t("audit-anybody")}
          picked={person.value}
          kinds={["person"]}
          includesDeactivated
          onChange={(all) => (person.value = all.slice(-1))}
        />
      </div>
      <label class="settings-field">
        {t("audit-act")}
        <span class="field">
          <select
            value={action.value}
            onChange={({ currentTarget }) => (action.value = currentTarget.value)}
          >
            <option value="">{t("audit-any")}</option>
            {ACTION_NAMES.map((actionName) => (
              <option key={actionName} value={actionName}>
                {actionText(actionName)}
              </option>
            ))}
          </select>
        </span>
      </label>
      {day("audit-since", since)}
      {day("audit-until", until)}
    </div>
  );
}
