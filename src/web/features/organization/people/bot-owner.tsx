// The dialog for changing the owner of a bot.
import { useSignal } from "@preact/signals";
import { getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useCloseLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { type Person, personOf } from "../../people/state.ts";
import type { Picked } from "../../picker/selectors.ts";
import { Picker } from "../../picker/picker.tsx";
import { isAdministrator } from "../permissions.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { sendFile } from "../../settings/own/picture.tsx";

export const BOT_OWNER_DIALOG = "give-bot";

export function ChangeBotOwner({ bot }: { bot: Person }) {
  const picked = useSignal<readonly Picked[]>([]);
  const { refusal, isBusy, send } = useSending();
  const close = useCloseLayer(BOT_OWNER_DIALOG);
  const owner = picked.value[0]?.id;
  const transfer = async () => {
    if (owner === undefined) return;
    const params = { bot_owner_id: owner };
    if (!(await send(() => sendFile("PATCH", `/bots/${bot.user_id}`, params)))) return;
    close();
    const name = personOf(getState().people, owner)?.full_name ?? "";
    showToast({ text: t("org-bot-owner-changed", { bot: bot.full_name, name }) });
  };
  return (
    <Dialog
      id={BOT_OWNER_DIALOG}
      isAllowed={isAdministrator()}
      title={t("org-bot-change-owner-named", { name: bot.full_name })}
      onSubmit={() => void transfer()}
      foot={
        <Button kind="primary" type="submit" disabled={isBusy.value || owner === undefined}>
          {t("org-bot-transfer")}
        </Button>
      }
    >
      <p>{t("org-bot-change-owner-hint")}</p>
      <Picker
        label={t("org-new-owner")}
        picked={picked.value}
        kinds={["person"]}
        canBePicked={({ id }) =>
          personOf(getState().people, id)?.is_bot === false && id !== bot.bot_owner_id
        }
        isWrong={refusal.value !== ""}
        onChange={(all) => (picked.value = all.slice(-1))}
      />
      <Refusal text={refusal.value} />
    </Dialog>
  );
}
