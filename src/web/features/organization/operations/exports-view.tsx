// Data exports, and which users consent to include their private data.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { fetchConsents } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { t } from "../../../words/words.ts";
import { compareNames } from "../../../matching.ts";
import { personOf } from "../../people/state.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import { ExportList } from "./export-list.tsx";

type Consents = Awaited<ReturnType<typeof fetchConsents>>["export_consents"];

export function ExportsPage() {
  const consents = useSignal<Consents | undefined>(undefined);
  useEffect(() => {
    void runWithToast(async () => {
      consents.value = (await fetchConsents(sync, {})).export_consents;
    });
  }, []);
  const agreeing = (consents.value ?? [])
    .filter(({ consented }) => consented)
    .map(({ user_id }) => personOf(getState().people, user_id)?.full_name ?? t("unknown-user"))
    .sort(compareNames);
  return (
    <>
      <ExportList />
      <section>
        <h3>{t("org-consents")}</h3>
        {!consents.value && <p class="settings-intro">{t("settings-loading")}</p>}
        {consents.value && (
          <p class="settings-fact">
            {t("org-consents-count", { count: agreeing.length, all: consents.value.length })}
          </p>
        )}
        <ul class="settings-list org-many">
          {agreeing.map((name) => (
            <li key={name}>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
        <p class="hint">{t("org-consents-hint")}</p>
      </section>
      <section>
        <h3>{t("org-exports-whole")}</h3>
        <p class="settings-fact">{t("org-exports-command")}</p>
      </section>
    </>
  );
}
