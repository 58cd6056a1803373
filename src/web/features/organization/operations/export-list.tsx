// Exports in Zulip's format: start one, follow its progress, download and delete it.
import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import {
  type ExportKind,
  fetchExports,
  removeExport,
  requestExport,
  type ShownExport,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState, subscribe } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Form, Refusal, useSending } from "../../../ui/form/form.tsx";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { usePolling } from "../../../ui/loading/polling.ts";
import { formatMoment } from "../../../words/dates.ts";
import { t, type TextKey } from "../../../words/words.ts";
import { personOf } from "../../people/state.ts";
import { ListRow, RemoveButton } from "../content/list-parts.tsx";

const ASK_AGAIN_MS = 2_000;
const KINDS = {
  public: { name: "org-export-public", about: "org-export-public-about" },
  full_with_consent: { name: "org-export-consent", about: "org-export-consent-about" },
} as const satisfies Record<ExportKind, { name: TextKey; about: TextKey }>;
const EXPORT_KINDS = ["public", "full_with_consent"] as const;

export function ExportList() {
  const exports = useSignal<readonly ShownExport[] | undefined>(undefined);
  const load = async () => {
    exports.value = (await fetchExports(sync, {})).exports.toReversed();
  };
  const reload = () => runWithToast(load);
  const isPending = exports.value?.some(({ pending }) => pending) ?? false;
  usePolling(load, isPending, ASK_AGAIN_MS);
  return (
    <>
      <NewExport isPending={isPending} reload={reload} />
      <section>
        <h3>{t("org-exports-made")}</h3>
        {!exports.value && <p class="settings-intro">{t("settings-loading")}</p>}
        {exports.value?.length === 0 && <p class="settings-fact">{t("org-exports-none")}</p>}
        <ul class="settings-list" aria-busy={isPending}>
          {(exports.value ?? []).map((exportRow) => (
            <Row key={exportRow.id} dataExport={exportRow} reload={reload} />
          ))}
        </ul>
      </section>
    </>
  );
}

function NewExport({ isPending, reload }: { isPending: boolean; reload: () => Promise<unknown> }) {
  const kind = useSignal<ExportKind>(EXPORT_KINDS[0]);
  const { refusal, isBusy, send } = useSending();
  const id = useId();
  const start = async () => {
    if (await send(() => requestExport(sync, { export_type: kind.value }))) await reload();
  };
  return (
    <section>
      <h3>{t("org-export-new")}</h3>
      <p class="settings-intro">{t("org-export-new-about")}</p>
      <Form send={() => void start()}>
        <fieldset class="choices" aria-label={t("org-export-new")}>
          {EXPORT_KINDS.map((exportType) => (
            <label key={exportType} class="choice">
              <input
                type="radio"
                class="radio"
                name={id}
                checked={kind.value === exportType}
                onChange={() => (kind.value = exportType)}
              />
              <b>{t(KINDS[exportType].name)}</b>
              <small>{t(KINDS[exportType].about)}</small>
            </label>
          ))}
        </fieldset>
        <Refusal text={refusal.value} />
        <Button kind="primary" type="submit" disabled={isBusy.value || isPending}>
          {t("org-export-start")}
        </Button>
      </Form>
    </section>
  );
}

function Row({ dataExport, reload }: { dataExport: ShownExport; reload: () => Promise<unknown> }) {
  const { id, export_type, export_time, acting_user_id, export_url, pending } = dataExport;
  const name = t(export_type === "public" ? "org-export-public" : "org-export-consent");
  const isOwn = acting_user_id === getState().people.me;
  return (
    <ListRow name={name} note={<Facts dataExport={dataExport} />}>
      {(attempt) => (
        <>
          {export_url !== null && isOwn && (
            <a class="btn" href={new URL(export_url).pathname} download>
              {t("org-export-download")}
            </a>
          )}
          {export_url !== null && !pending && (
            <RemoveButton
              attempt={attempt}
              name={`${name}, ${formatMoment(export_time)}`}
              textKey="org-export-delete-hint"
              remove={() => removeExport(sync, { export_id: id }).then(reload)}
            />
          )}
        </>
      )}
    </ListRow>
  );
}

function Facts({ dataExport }: { dataExport: ShownExport }) {
  subscribe(`user:${dataExport.acting_user_id}`);
  const { acting_user_id, export_time } = dataExport;
  const name = personOf(getState().people, acting_user_id)?.full_name ?? t("unknown-user");
  return (
    <>
      <bdi>{t("org-export-by", { name, moment: formatMoment(export_time) })}</bdi>
      <br />
      <span role="status">{t(stateOf(dataExport))}</span>
    </>
  );
}

function stateOf({ pending, export_url, deleted_timestamp, acting_user_id }: ShownExport): TextKey {
  if (pending) return "org-export-pending";
  if (export_url !== null) {
    return acting_user_id === getState().people.me ? "org-export-ready" : "org-export-ready-other";
  }
  return deleted_timestamp === null ? "org-export-failed" : "org-export-deleted";
}
