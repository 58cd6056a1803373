// The end of the organization: what follows is said, its name is typed, and then it is done.
import { useSignal } from "@preact/signals";
import { closeOrganization } from "../../../api/organization-calls.ts";
import { goToSignIn } from "../../../api/session.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { say } from "../../../words/words.ts";
import { sendsMail } from "../../notifications/mail.ts";
import { Refusal, TextField, useSending } from "../../settings/form.tsx";

const ID = "close-organization";
/** Days until the data goes; null: it stays. */
const DELAYS = [null, 14, 30, 90, 365] as const;

const Follows = () => (
  <ul class="org-follows">
    <li>{say("org-close-signed-out")}</li>
    <li>{say("org-close-nobody")}</li>
    {sendsMail() && <li>{say("org-close-owners")}</li>}
    <li>{say("org-close-back")}</li>
  </ul>
);

export function ClosePage() {
  return (
    <section class="settings-form">
      <Follows />
      <Button kind="danger" onClick={() => openLayer(ID, <Close />)}>
        {say("org-close-go-on")}
      </Button>
    </section>
  );
}

function Close() {
  keyed("realm:name");
  const name = String(now().organization.fields["realm_name"] ?? "");
  const typed = useSignal("");
  const days = useSignal<number | null>(null);
  const { refusal, isBusy, send } = useSending();
  const isSure = typed.value.trim() === name;
  const close = async () => {
    if (!isSure) return;
    const asked = { deletion_delay_days: days.value };
    if (await send(() => closeOrganization(sync, asked))) goToSignIn();
  };
  return (
    <Dialog
      id={ID}
      title={say("org-close")}
      onSubmit={() => void close()}
      foot={
        <Button kind="danger" type="submit" disabled={isBusy.value || !isSure}>
          {say("settings-leave-now")}
        </Button>
      }
    >
      <div class="form org-wide">
        <TextField label={say("org-close-confirm", { name })} value={typed} autocomplete="off" />
        <label class="settings-field">
          {say("org-close-data")}
          <span class="field">
            <select
              value={String(days.value)}
              onChange={({ currentTarget: { value } }) => {
                days.value = value === "null" ? null : Number(value);
              }}
            >
              {DELAYS.map((one) => (
                <option key={one} value={String(one)}>
                  {one === null ? say("org-close-keep") : say("org-close-delete", { count: one })}
                </option>
              ))}
            </select>
          </span>
        </label>
        <Refusal words={refusal.value} />
      </div>
    </Dialog>
  );
}
