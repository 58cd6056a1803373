// Starts a conversation with one person or several, who are chosen as tokens.
import { useSignal } from "@preact/signals";
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { directView } from "../../views.ts";
import { t } from "../../words/words.ts";
import { withComposer } from "../compose/handle-state.ts";
import { Picker } from "../picker/picker.tsx";
import type { Picked } from "../picker/selectors.ts";

const ID = "new-direct";

/** Opens the dialog with these users already selected. */
export function openNewDirect(user_ids: readonly number[] = []): void {
  openLayer(ID, <NewDirect user_ids={user_ids} />);
}

function NewDirect({ user_ids }: { user_ids: readonly number[] }) {
  const picked = useSignal<readonly Picked[]>(
    user_ids.map((id) => ({ kind: "person" as const, id })),
  );
  const start = () => {
    const { me } = getState().people;
    const others = picked.value.map(({ id }) => id).filter((id) => id !== me);
    if (picked.value.length === 0) return;
    closeLayer(ID);
    go(directView(others, me));
    // The next thing to do is to write.
    withComposer((composer) => composer.focus());
  };
  return (
    <Dialog
      id={ID}
      title={t("new-direct")}
      onSubmit={start}
      foot={
        <SubmitFoot id={ID} isDisabled={picked.value.length === 0}>
          {t("start-conversation")}
        </SubmitFoot>
      }
    >
      <Picker
        label={t("new-direct-to")}
        placeholder={t("new-direct-example")}
        picked={picked.value}
        kinds={["person"]}
        onChange={(all) => (picked.value = all)}
      />
      <p class="hint">{t(picked.value.length > 1 ? "new-direct-group" : "new-direct-hint")}</p>
    </Dialog>
  );
}
