// Archives a channel after a confirmation, and unarchives it.
import { archiveChannel, editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog, SubmitFoot } from "../../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { type Saving, useSaving } from "../../../ui/saving.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { canAdministerChannel } from "../permissions.ts";
import type { KnownChannel } from "../state.ts";

const ID = "archive-channel";

export function Archive({ channel: { row } }: { channel: KnownChannel }) {
  subscribe(`channel:${row.stream_id}`);
  const saving = useSaving();
  const { stream_id, is_archived, name } = row;
  const restore = () => restoreChannel(saving, stream_id, name);
  return (
    <section>
      <h2>{t(is_archived ? "restore-channel" : "archive-channel")}</h2>
      <p class="intro">{t(is_archived ? "unarchive-hint" : "archive-hint")}</p>
      <div class="save-row">
        {is_archived ? (
          <Button onClick={() => void restore()}>{t("restore-channel")}</Button>
        ) : (
          <Button
            kind="danger"
            onClick={() => openLayer(ID, <ArchiveDialog stream_id={stream_id} name={name} />)}
          >
            {t("archive-channel")}
          </Button>
        )}
      </div>
      <FieldError text={saving.errors.value["archive"]} />
    </section>
  );
}

async function restoreChannel(saving: Saving, stream_id: number, name: string): Promise<void> {
  const ask = () => editChannel(sync, { stream_id, is_archived: false });
  if (await saving.save("archive", ask)) showToast({ text: t("was-unarchived", { name }) });
}

function ArchiveDialog({ stream_id, name }: { stream_id: number; name: string }) {
  subscribe(`channel:${stream_id}`, "groups", "realm", `user:${getState().people.me}`);
  const state = getState();
  const channel = state.channels.channels.get(stream_id);
  const saving = useSaving();
  const close = useCloseLayer(ID);
  const archive = async () => {
    if (!(await saving.save("archive", () => archiveChannel(sync, { stream_id })))) return;
    close();
    const undo = () => void restoreChannel(saving, stream_id, name);
    showToast({ text: t("was-archived", { name }), undo });
  };
  return (
    <Dialog
      id={ID}
      isAllowed={channel !== undefined && canAdministerChannel(state, channel)}
      title={t("archive-confirm", { name })}
      onSubmit={() => void archive()}
      foot={
        <SubmitFoot id={ID} kind="danger" isDisabled={saving.busy.value !== undefined}>
          {t("archive-channel")}
        </SubmitFoot>
      }
    >
      <p>{t("archive-hint")}</p>
      <FieldError text={saving.errors.value["archive"]} />
    </Dialog>
  );
}
