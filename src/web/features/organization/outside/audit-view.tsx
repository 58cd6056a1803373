// The audit log: who changed what, newest first, by person, by act, between two days.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { fetchAudit } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { Button } from "../../../ui/button.tsx";
import { momentIn } from "../../../words/moments.ts";
import { say } from "../../../words/words.ts";
import type { Picked } from "../../picker/candidates.ts";
import { Picker } from "../../picker/picker.tsx";
import { attempt } from "../../settings/form.tsx";
import { ActRow } from "./act-row.tsx";
import { ACT_NAMES, actWords } from "./act-words.ts";

type Page = Awaited<ReturnType<typeof fetchAudit>>;

const SHOWN = 50;
const DAY_SECONDS = 86_400;

export function AuditPage() {
  const person = useSignal<readonly Picked[]>([]);
  const [act, since, until] = [useSignal(""), useSignal(""), useSignal("")];
  const pages = useSignal<readonly Page[]>([]);
  const isBusy = useSignal(false);
  /** Answers to what is not asked any more are for nobody. */
  const asking = useRef({});
  const load = async (before?: number) => {
    const own = (asking.current = {});
    const asked = {
      num: SHOWN,
      ...(person.value[0] && { user_id: person.value[0].id }),
      ...(act.value !== "" && { act: act.value }),
      ...(since.value !== "" && { since: startOf(since.value) }),
      ...(until.value !== "" && { until: startOf(until.value) + DAY_SECONDS - 1 }),
      ...(before !== undefined && { before }),
    };
    isBusy.value = true;
    await attempt(async () => {
      const page = await fetchAudit(sync, asked);
      if (own !== asking.current) return;
      pages.value = before === undefined ? [page] : [...pages.value, page];
    });
    if (own === asking.current) isBusy.value = false;
  };
  const wanted = `${person.value[0]?.id} ${act.value} ${since.value} ${until.value}`;
  useEffect(() => void load(), [wanted]);
  const acts = pages.value.flatMap((page) => page.acts);
  const next = pages.value.at(-1)?.next ?? null;
  return (
    <>
      <Wishes person={person} act={act} since={since} until={until} />
      <ol class="org-acts-list" aria-busy={isBusy.value}>
        {acts.map((one) => (
          <ActRow key={one.id} act={one} />
        ))}
      </ol>
      {acts.length === 0 && pages.value.length > 0 && (
        <p class="empty-note">{say(next === null ? "settings-empty" : "audit-looked")}</p>
      )}
      <p class="list-foot">
        {next === null ? (
          acts.length > 0 && say("audit-end")
        ) : (
          <Button disabled={isBusy.value} onClick={() => void load(next)}>
            {say("audit-older")}
          </Button>
        )}
      </p>
      <p class="hint">{say("audit-by-command")}</p>
    </>
  );
}

/** A day begins where the person is; seconds since 1970. */
const startOf = (day: string) => Math.floor(momentIn(day) / 1000);

interface Wished {
  person: Signal<readonly Picked[]>;
  act: Signal<string>;
  since: Signal<string>;
  until: Signal<string>;
}

function Wishes({ person, act, since, until }: Wished) {
  const id = useId();
  const day = (words: "audit-since" | "audit-until", value: Signal<string>) => (
    <label class="settings-field">
      {say(words)}
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
    <div class="org-pair org-audit-wishes">
      <div class="settings-field">
        <label for={id}>{say("audit-who")}</label>
        <Picker
          id={id}
          label={say("audit-who")}
          isLabelled
          placeholder={say("audit-anybody")}
          picked={person.value}
          kinds={["person"]}
          withFormer
          onChange={(all) => (person.value = all.slice(-1))}
        />
      </div>
      <label class="settings-field">
        {say("audit-act")}
        <span class="field">
          <select
            value={act.value}
            onChange={({ currentTarget }) => (act.value = currentTarget.value)}
          >
            <option value="">{say("audit-any")}</option>
            {ACT_NAMES.map((one) => (
              <option key={one} value={one}>
                {actWords(one)}
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
