// Deactivates the organization, after an explanation and typing its name.
import { useSignal } from "@preact/signals";
import { deactivateOrganization } from "../../../api/organization-calls.ts";
import { goToSignIn } from "../../../api/session.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { t } from "../../../words/words.ts";
import { sendsMail } from "../selectors.ts";
import { Refusal, TextField, useSending } from "../../../ui/form/form.tsx";

const ID = "close-organization";
/** Days until the data is deleted; null: never. */
const DELAYS = [null, 14, 30, 90, 365] as const;

const Follows = () => (
  <ul class="org-follows">
    <li>{t("org-close-signed-out")}</li>
    <li>{t("org-close-nobody")}</li>
    {sendsMail() && <li>{t("org-close-owners")}</li>}
    <li>{t("org-close-back")}</li>
  </ul>
);

export function DeactivatePage() {
  return (
    <section class="settings-form">
      <Follows />
      <Button kind="danger" onClick={() => openLayer(ID, <DeactivateForm />)}>
        {t("org-close-go-on")}
      </Button>
    </section>
  );
}

function DeactivateForm() {
  subscribe("realm:name");
  const name = String(getState().organization.fields["realm_name"] ?? "");
  const confirmation = useSignal("");
  const days = useSignal<number | null>(null);
  const { refusal, isBusy, send } = useSending();
  const isSure = confirmation.value.trim() === name;
  const close = async () => {
    if (!isSure) return;
    const params = { deletion_delay_days: days.value };
    if (await send(() => deactivateOrganization(sync, params))) goToSignIn();
  };
  return (
    <Dialog
      id={ID}
      title={t("org-close")}
      onSubmit={() => void close()}
      foot={
        <Button kind="danger" type="submit" disabled={isBusy.value || !isSure}>
          {t("settings-deactivate-now")}
        </Button>
      }
    >
      <div class="form org-wide">
        <TextField
          label={t("org-close-confirm", { name })}
          value={confirmation}
          autocomplete="off"
        />
        <label class="settings-field">
          {t("org-close-data")}
          <span class="field">
            <select
              value={String(days.value)}
              onChange={({ currentTarget: { value } }) => {
                days.value = value === "null" ? null : Number(value);
              }}
            >
              {DELAYS.map((delay) => (
                <option key={delay} value={String(delay)}>
                  {delay === null ? t("org-close-keep") : t("org-close-delete", { count: delay })}
                </option>
              ))}
            </select>
          </span>
        </label>
        <Refusal text={refusal.value} />
      </div>
    </Dialog>
  );
}
