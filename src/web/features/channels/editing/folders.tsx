// Channel folders of the organization: creating, renaming, ordering and archiving them.
import { useSignal } from "@preact/signals";
import {
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
} from "../../../../features/folders/rules.ts";
import { go } from "../../../store/address.ts";
import { editFolder, createFolder, orderFolders } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { optimistic, showRefusal } from "../../../sync/optimistic.ts";
import { OrderButtons } from "../../../ui/form/order-buttons.tsx";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { SignalField } from "../../../ui/form/signal-field.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { closeLayer, openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { useLeaveWithoutPermission, useSaving } from "../../../ui/saving.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { PageHead } from "../../page/page-head.tsx";
import { isAdministrator } from "../permissions.ts";
import { listView } from "../route-rules.ts";
import type { ChannelFolder } from "../state.ts";

const ID = "folder";

export function Folders() {
  subscribe("folders", "channels", `user:${getState().people.me}`);
  const state = getState();
  const canChange = isAdministrator(state);
  useLeaveWithoutPermission(canChange, () => {
    closeLayer(ID);
    go(listView());
  });
  const all = [...state.channels.folders.values()].sort((a, b) => a.order - b.order);
  const open = all.filter(({ is_archived }) => !is_archived);
  const away = all.filter(({ is_archived }) => is_archived);
  return (
    <>
      <PageHead title={t("folders")} list={listView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={t("folders")}>
        <div class="in">
          <p class="intro">{t("folders-hint")}</p>
          {!canChange && <p class="hint">{t("folders-not-allowed")}</p>}
          {all.length === 0 && <p class="intro">{t("folders-none")}</p>}
          <ul class="folder-rows">
            {open.map((folder, index) => (
              <FolderRow
                key={folder.id}
                folder={folder}
                canChange={canChange}
                index={index}
                open={open}
              />
            ))}
          </ul>
          {canChange && (
            <div class="save-row">
              <Button icon="plus" onClick={() => openLayer(ID, <FolderDialog />)}>
                {t("new-folder")}
              </Button>
            </div>
          )}
          {away.length > 0 && (
            <section>
              <h2>{t("folders-archived")}</h2>
              <ul class="folder-rows">
                {away.map((folder) => (
                  <FolderRow
                    key={folder.id}
                    folder={folder}
                    canChange={canChange}
                    index={-1}
                    open={[]}
                  />
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

interface FolderRowProps {
  folder: ChannelFolder;
  canChange: boolean;
  /** Position among the folders that are not archived. */
  index: number;
  open: readonly ChannelFolder[];
}

function FolderRow({ folder, canChange, index, open }: FolderRowProps) {
  const { id, name, description } = folder;
  const channels = [...getState().channels.channels.values()];
  const count = channels.filter(({ row }) => row.folder_id === id && !row.is_archived).length;
  return (
    <li>
      <span>
        <Icon name="folder" size={18} /> <bdi>{name}</bdi>
        <small dir="auto">
          {[t("channels-inside", { count }), description].filter(Boolean).join(" · ")}
        </small>
      </span>
      <span>
        {canChange && index >= 0 && (
          <>
            <OrderButtons
              name={name}
              index={index}
              ids={open.map((folder) => folder.id)}
              order={reorder}
            />
            <IconButton
              icon="pencil"
              size="s"
              label={t("edit-named", { name })}
              onClick={() => openLayer(ID, <FolderDialog folder={folder} />)}
            />
            <IconButton
              icon="trash"
              size="s"
              label={t("folder-archive-named", { name })}
              onClick={() => void setFolderArchived(folder, true)}
            />
          </>
        )}
        {canChange && index < 0 && (
          <Button kind="quiet" onClick={() => void setFolderArchived(folder, false)}>
            {t("folder-reactivate")}
          </Button>
        )}
      </span>
    </li>
  );
}

/** The server expects the position of every folder, including archived ones. */
function reorder(ids: readonly number[]): void {
  const away = [...getState().channels.folders.values()].filter(({ is_archived }) => is_archived);
  const order = [...ids, ...away.map(({ id }) => id)];
  const before = [...getState().channels.folders.values()]
    .sort((a, b) => a.order - b.order)
    .map(({ id }) => id);
  const localEvent = (to: readonly number[]) => {
    return { type: "channel_folder" as const, op: "reorder" as const, order: [...to] };
  };
  void optimistic(orderFolders.toRequest({ order }), [localEvent(order)], [localEvent(before)]);
}

async function setFolderArchived({ id, name }: ChannelFolder, is_archived: boolean): Promise<void> {
  try {
    await editFolder(sync, { channel_folder_id: id, is_archived });
    showToast({ text: t(is_archived ? "folder-archived" : "was-unarchived", { name }) });
  } catch (error) {
    showRefusal(error);
  }
}

function FolderDialog({ folder }: { folder?: ChannelFolder }) {
  subscribe(`user:${getState().people.me}`);
  const saving = useSaving();
  const close = useCloseLayer(ID);
  const name = useSignal(folder?.name ?? "");
  const description = useSignal(folder?.description ?? "");
  const save = async () => {
    const values = { name: name.value.trim(), description: description.value.trim() };
    const ask = () =>
      folder
        ? editFolder(sync, { channel_folder_id: folder.id, ...values })
        : createFolder(sync, values);
    if (await saving.save("name", ask)) close();
  };
  const error = saving.errors.value["name"];
  return (
    <Dialog
      id={ID}
      isAllowed={isAdministrator(getState())}
      title={folder ? t("edit-named", { name: folder.name }) : t("new-folder")}
      onSubmit={() => void save()}
      foot={<Foot isDisabled={name.value.trim() === "" || saving.busy.value !== undefined} />}
    >
      <div class="form">
        <label class="label">
          {t("name")}
          <span class="field" data-wrong={error === undefined ? undefined : ""}>
            <input
              value={name.value}
              maxLength={FOLDER_NAME_LENGTH_MAX}
              aria-invalid={error !== undefined}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value;
                saving.forget("name");
              }}
            />
          </span>
        </label>
        <FieldError text={error} />
        <SignalField
          label={t("description")}
          text={description}
          maxLength={FOLDER_DESCRIPTION_LENGTH_MAX}
        />
      </div>
    </Dialog>
  );
}

function Foot({ isDisabled }: { isDisabled: boolean }) {
  return (
    <>
      <Button onClick={() => closeLayer(ID)}>{t("cancel")}</Button>
      <Button kind="primary" type="submit" disabled={isDisabled}>
        {t("save")}
      </Button>
    </>
  );
}
