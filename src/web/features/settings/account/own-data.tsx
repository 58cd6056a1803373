// The export of the user's own data: request with the password, progress, and download.
import { useSignal } from "@preact/signals";
import {
  type Account,
  type DataExport,
  fetchDataExport,
  requestDataExport,
} from "../../../api/account-calls.ts";
import { PERSON_EXPORT_INTERVAL_SECONDS } from "../../../../features/moving/person/rules.ts";
import { sync } from "../../../sync/session.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { usePolling } from "../../../ui/loading/polling.ts";
import { formatMoment } from "../../../words/dates.ts";
import { formatSize } from "../../../words/numbers.ts";
import { t } from "../../../words/words.ts";

const FILE = "/json/account/export/file/";
const ASK_AGAIN_MS = 2_000;

export function OwnData({ account }: { account: Account }) {
  const dataExport = useSignal<DataExport | undefined>(undefined);
  const load = async () => {
    dataExport.value = (await fetchDataExport(sync, {})).export;
  };
  usePolling(load, dataExport.value?.state === "pending", ASK_AGAIN_MS);
  return (
    <section>
      <h3>{t("settings-data")}</h3>
      <p class="settings-intro">{t("settings-data-hint")}</p>
      <div role="status">{dataExport.value && <ExportState dataExport={dataExport.value} />}</div>
      {dataExport.value !== undefined && canRequest(dataExport.value) && (
        <Request account={account} reload={() => runWithToast(load)} />
      )}
    </section>
  );
}

/** The server has at most one export at a time, and one a day. */
function canRequest(dataExport: DataExport): boolean {
  if (dataExport === null || dataExport.state === "failed") return true;
  if (dataExport.state === "pending") return false;
  return dataExport.requested + PERSON_EXPORT_INTERVAL_SECONDS <= Date.now() / 1000;
}

function ExportState({ dataExport }: { dataExport: NonNullable<DataExport> }) {
  const { state, size, expires, requested } = dataExport;
  if (state === "pending") return <p class="settings-fact">{t("settings-data-pending")}</p>;
  if (state === "failed") return <p class="settings-fact">{t("settings-data-failed")}</p>;
  return (
    <p class="settings-fact">
      <a href={FILE} download>
        {t("settings-data-download", { size: formatSize(size ?? 0) })}
      </a>
      <br />
      {t("settings-data-ready", {
        made: formatMoment(requested),
        until: formatMoment(expires ?? 0),
      })}
    </p>
  );
}

function Request({ account, reload }: { account: Account; reload: () => Promise<unknown> }) {
  const password = useSignal("");
  const { errorOf, isBusy, send } = useSending({ password: ["password"] });
  const request = async () => {
    if (!(await send(() => requestDataExport(sync, { password: password.value })))) return;
    password.value = "";
    await reload();
  };
  return (
    <Form send={() => void request()}>
      {account.has_password && (
        <TextField
          label={t("settings-password-yours")}
          value={password}
          refusal={errorOf("password")}
          type="password"
          autocomplete="current-password"
        />
      )}
      <Refusal text={errorOf("")} />
      <Button
        type="submit"
        disabled={isBusy.value || (account.has_password && password.value === "")}
      >
        {t("settings-data-request")}
      </Button>
    </Form>
  );
}
