// The state of the server: backups, and the doctor's findings with remedies.
import { ownValue } from "../../../../text/input/own-value.ts";
import { type Signal, useSignal } from "@preact/signals";
import {
  fetchDoctorReport,
  type BackupStatus,
  beginBackup,
  type DoctorReport,
  fetchBackups,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import type { IconName } from "../../../content/icon-names.ts";
import { formatMoment } from "../../../words/dates.ts";
import { formatSize } from "../../../words/numbers.ts";
import { t } from "../../../words/words.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { usePolling } from "../../../ui/loading/polling.ts";
import { ListRow } from "../content/list-parts.tsx";

/** Interval for checking whether a running backup has finished. */
const LOOK_MS = 2_000;

export function ServerPage() {
  return (
    <>
      <Backups />
      <Doctor />
    </>
  );
}

function useBackups(): [Signal<BackupStatus | undefined>, () => Promise<unknown>] {
  const state = useSignal<BackupStatus | undefined>(undefined);
  const load = async () => {
    state.value = await fetchBackups(sync, {});
  };
  usePolling(load, state.value?.is_running === true, LOOK_MS);
  return [state, () => runWithToast(load)];
}

function Backups() {
  const [state, load] = useBackups();
  const { refusal, isBusy, send } = useSending();
  const begin = async () => {
    await send(() => beginBackup(sync, {}));
    await load();
  };
  const status = state.value;
  return (
    <section>
      <h3>{t("backups")}</h3>
      {!status && <p class="settings-intro">{t("settings-loading")}</p>}
      {status && <Facts state={status} />}
      {status?.time != null && (
        <div class="settings-form">
          <Button disabled={isBusy.value || status.is_running} onClick={() => void begin()}>
            {t(status.is_running ? "backup-running" : "backup-now")}
          </Button>
        </div>
      )}
      <Refusal text={refusal.value} />
      <ul class="settings-list org-many">
        {(status?.sets ?? []).map(({ id, created, bytes, is_whole, is_encrypted }) => (
          <ListRow
            key={id}
            lead={<Icon name={is_whole ? "check" : "alert"} size={18} />}
            name={created === null ? id : formatMoment(created)}
            note={t(is_whole ? "backup-whole" : "backup-broken")}
          >
            {() => (
              <>
                {is_encrypted && <span class="tag">{t("backup-encrypted")}</span>}
                {bytes !== null && <span>{formatSize(bytes)}</span>}
              </>
            )}
          </ListRow>
        ))}
      </ul>
      {status?.sets === null && <p class="settings-fact">{t("backup-unseen")}</p>}
    </section>
  );
}

function Facts({ state: { place, time, last, failure, drill } }: { state: BackupStatus }) {
  if (time === null) return <p class="settings-fact">{t("backup-no-place")}</p>;
  return (
    <>
      <p class="settings-fact">
        {place === null ? t("backup-time", { time }) : t("backup-place", { place, time })}
      </p>
      <p class="settings-fact">
        {last ? t("backup-last", { when: formatMoment(last.at) }) : t("backup-none-yet")}
      </p>
      {failure && (
        <p class="settings-refused">{failedWords(formatMoment(failure.at), failure.words)}</p>
      )}
      {drill && <p class="settings-fact">{drillWords(formatMoment(drill.at), drill)}</p>}
    </>
  );
}

/** Only owners who also operate the server see the reason. */
const failedWords = (when: string, text: string | null) =>
  text === null ? t("backup-failed-see-log", { when }) : t("backup-failed", { when, words: text });

function drillWords(
  when: string,
  { words: text, is_good }: NonNullable<BackupStatus["drill"]>,
): string {
  if (text !== null) return t("backup-drill", { when, words: text });
  if (is_good === null) return t("backup-drill-closed");
  return is_good ? t("backup-drill-good", { when }) : t("backup-drill-bad", { when });
}

const STATUS_ICONS: Readonly<Record<string, IconName>> = { ok: "check", warn: "alert", fail: "x" };

function Doctor() {
  const report = useSignal<DoctorReport | undefined>(undefined);
  const isBusy = useSignal(false);
  const runChecks = async () => {
    isBusy.value = true;
    await runWithToast(async () => {
      report.value = await fetchDoctorReport(sync, {});
    });
    isBusy.value = false;
  };
  // Problems come first.
  const ranks = ["fail", "warn", "ok"];
  const checks = (report.value?.checks ?? []).toSorted(
    (a, b) => ranks.indexOf(a.state) - ranks.indexOf(b.state),
  );
  return (
    <section>
      <h3>{t("doctor")}</h3>
      <p class="settings-intro">{t("doctor-about")}</p>
      <div class="settings-form">
        <Button disabled={isBusy.value} onClick={() => void runChecks()}>
          {t(isBusy.value ? "doctor-looking" : "doctor-look")}
        </Button>
      </div>
      <ul aria-live="polite" aria-busy={isBusy.value}>
        {checks.map(({ id, state, message, remedy }) => (
          <li key={`${id} ${message}`} class="org-finding" data-state={state}>
            <Icon name={ownValue(STATUS_ICONS, state) ?? "alert"} size={18} />
            <span>
              <span class="vh">{t(`doctor-${state}`)} </span>
              {message}
            </span>
            {remedy !== null && <small>{t("doctor-remedy", { remedy })}</small>}
          </li>
        ))}
      </ul>
    </section>
  );
}
