// How the server is: its backups, and what the doctor finds, with what to do about it.
import { ownValue } from "../../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  askDoctor,
  type BackupsTold,
  beginBackup,
  type DoctorTold,
  fetchBackups,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { formatMoment } from "../../../words/dates.ts";
import { formatSize } from "../../../words/numbers.ts";
import { say } from "../../../words/words.ts";
import { attempt, Refusal, useSending } from "../../settings/form.tsx";
import { ListRow } from "../content/parts.tsx";

/** While one is made, its end is looked for. */
const LOOK_MS = 2_000;

export function ServerPage() {
  return (
    <>
      <Backups />
      <Doctor />
    </>
  );
}

function useBackups(): [Signal<BackupsTold | undefined>, () => Promise<unknown>] {
  const state = useSignal<BackupsTold | undefined>(undefined);
  const load = () =>
    attempt(async () => {
      state.value = await fetchBackups(sync, {});
    });
  useEffect(() => void load(), []);
  const isRunning = state.value?.is_running === true;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => void load(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return [state, load];
}

function Backups() {
  const [state, load] = useBackups();
  const { refusal, isBusy, send } = useSending();
  const begin = async () => {
    await send(() => beginBackup(sync, {}));
    await load();
  };
  const known = state.value;
  return (
    <section>
      <h3>{say("backups")}</h3>
      {!known && <p class="settings-intro">{say("settings-loading")}</p>}
      {known && <Facts state={known} />}
      {known?.time != null && (
        <div class="settings-form">
          <Button disabled={isBusy.value || known.is_running} onClick={() => void begin()}>
            {say(known.is_running ? "backup-running" : "backup-now")}
          </Button>
        </div>
      )}
      <Refusal words={refusal.value} />
      <ul class="settings-list org-many">
        {(known?.sets ?? []).map(({ id, created, bytes, is_whole, is_encrypted }) => (
          <ListRow
            key={id}
            lead={<Icon name={is_whole ? "check" : "alert"} size={18} />}
            name={created === null ? id : formatMoment(created)}
            note={say(is_whole ? "backup-whole" : "backup-broken")}
          >
            {() => (
              <>
                {is_encrypted && <span class="tag">{say("backup-encrypted")}</span>}
                {bytes !== null && <span>{formatSize(bytes)}</span>}
              </>
            )}
          </ListRow>
        ))}
      </ul>
      {known?.sets === null && <p class="settings-fact">{say("backup-unseen")}</p>}
    </section>
  );
}

function Facts({ state: { place, time, last, failure, drill } }: { state: BackupsTold }) {
  if (time === null) return <p class="settings-fact">{say("backup-no-place")}</p>;
  return (
    <>
      <p class="settings-fact">
        {place === null ? say("backup-time", { time }) : say("backup-place", { place, time })}
      </p>
      <p class="settings-fact">
        {last ? say("backup-last", { when: formatMoment(last.at) }) : say("backup-none-yet")}
      </p>
      {failure && (
        <p class="settings-refused">{failedWords(formatMoment(failure.at), failure.words)}</p>
      )}
      {drill && <p class="settings-fact">{drillWords(formatMoment(drill.at), drill)}</p>}
    </>
  );
}

/** Only owners who also operate the server see the reason. */
const failedWords = (when: string, words: string | null) =>
  words === null ? say("backup-failed-untold", { when }) : say("backup-failed", { when, words });

function drillWords(when: string, { words, is_good }: NonNullable<BackupsTold["drill"]>): string {
  if (words !== null) return say("backup-drill", { when, words });
  if (is_good === null) return say("backup-drill-closed");
  return is_good ? say("backup-drill-good", { when }) : say("backup-drill-bad", { when });
}

const SIGNS: Readonly<Record<string, IconName>> = { ok: "check", warn: "alert", fail: "x" };

function Doctor() {
  const told = useSignal<DoctorTold | undefined>(undefined);
  const isBusy = useSignal(false);
  const look = async () => {
    isBusy.value = true;
    await attempt(async () => {
      told.value = await askDoctor(sync, {});
    });
    isBusy.value = false;
  };
  // Problems come first.
  const ranks = ["fail", "warn", "ok"];
  const checks = (told.value?.checks ?? []).toSorted(
    (a, b) => ranks.indexOf(a.state) - ranks.indexOf(b.state),
  );
  return (
    <section>
      <h3>{say("doctor")}</h3>
      <p class="settings-intro">{say("doctor-about")}</p>
      <div class="settings-form">
        <Button disabled={isBusy.value} onClick={() => void look()}>
          {say(isBusy.value ? "doctor-looking" : "doctor-look")}
        </Button>
      </div>
      <ul aria-live="polite" aria-busy={isBusy.value}>
        {checks.map(({ id, state, says, remedy }) => (
          <li key={`${id} ${says}`} class="org-finding" data-state={state}>
            <Icon name={ownValue(SIGNS, state) ?? "alert"} size={18} />
            <span>
              <span class="vh">{say(`doctor-${state}`)} </span>
              {says}
            </span>
            {remedy !== null && <small>{say("doctor-remedy", { remedy })}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
