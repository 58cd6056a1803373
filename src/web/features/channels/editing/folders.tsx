// Folders of channels, which the whole organization has in one order: made, named, moved, put away.
import { useSignal } from "@preact/signals";
import {
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
} from "../../../../features/folders/rules.ts";
import { go } from "../../../address.ts";
import { editFolder, makeFolder, orderFolders } from "../../../api/manage-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, known, now } from "../../../live.ts";
import { optimistic, showRefusal } from "../../../optimistic.ts";
import { Movers } from "../../../ui/form/movers.tsx";
import { Wrong } from "../../../ui/form/text-field.tsx";
import { WordsField } from "../../../ui/form/words-field.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { useRight, useSaving } from "../../../ui/saving.ts";
import { showToast } from "../../../ui/toast.tsx";
import { say } from "../../../words/words.ts";
import { PageHead } from "../../frame/page-head.tsx";
import { isAdministrator } from "../asker.ts";
import { listView } from "../route.ts";
import type { ChannelFolder } from "../state.ts";

const ID = "folder";

export function Folders() {
  keyed("folders", "channels", `user:${known()!.people.me}`);
  const state = known()!;
  const may = isAdministrator(state);
  useRight(may, () => {
    closeLayer(ID);
    go(listView());
  });
  const all = [...state.channels.folders.values()].sort((a, b) => a.order - b.order);
  const open = all.filter(({ is_archived }) => !is_archived);
  const away = all.filter(({ is_archived }) => is_archived);
  return (
    <>
      <PageHead title={say("folders")} list={listView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={say("folders")}>
        <div class="in">
          <p class="intro">{say("folders-mean")}</p>
          {!may && <p class="hint">{say("folders-not-yours")}</p>}
          {all.length === 0 && <p class="intro">{say("folders-none")}</p>}
          <ul class="folder-rows">
            {open.map((folder, at) => (
              <FolderRow key={folder.id} folder={folder} may={may} at={at} open={open} />
            ))}
          </ul>
          {may && (
            <div class="save-row">
              <Button icon="plus" onClick={() => openLayer(ID, <FolderDialog />)}>
                {say("new-folder")}
              </Button>
            </div>
          )}
          {away.length > 0 && (
            <section>
              <h2>{say("folders-away")}</h2>
              <ul class="folder-rows">
                {away.map((folder) => (
                  <FolderRow key={folder.id} folder={folder} may={may} at={-1} open={[]} />
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

interface Shown {
  folder: ChannelFolder;
  may: boolean;
  /** Among those that are open. */
  at: number;
  open: readonly ChannelFolder[];
}

function FolderRow({ folder, may, at, open }: Shown) {
  const { id, name, description } = folder;
  const channels = [...now().channels.channels.values()];
  const count = channels.filter(({ row }) => row.folder_id === id && !row.is_archived).length;
  return (
    <li>
      <span>
        <Icon name="folder" size={18} /> <bdi>{name}</bdi>
        <small dir="auto">
          {[say("channels-inside", { count }), description].filter(Boolean).join(" · ")}
        </small>
      </span>
      <span>
        {may && at >= 0 && (
          <>
            <Movers name={name} at={at} ids={open.map((one) => one.id)} order={reorder} />
            <IconButton
              icon="pencil"
              size="s"
              label={say("edit-named", { name })}
              onClick={() => openLayer(ID, <FolderDialog folder={folder} />)}
            />
            <IconButton
              icon="trash"
              size="s"
              label={say("put-away-named", { name })}
              onClick={() => void putAway(folder, true)}
            />
          </>
        )}
        {may && at < 0 && (
          <Button kind="quiet" onClick={() => void putAway(folder, false)}>
            {say("bring-back")}
          </Button>
        )}
      </span>
    </li>
  );
}

/** The server wants the place of each, also of those that are put away. */
function reorder(ids: readonly number[]): void {
  const away = [...now().channels.folders.values()].filter(({ is_archived }) => is_archived);
  const order = [...ids, ...away.map(({ id }) => id)];
  const before = [...now().channels.folders.values()]
    .sort((a, b) => a.order - b.order)
    .map(({ id }) => id);
  const deed = (to: readonly number[]) => {
    return { type: "channel_folder" as const, op: "reorder" as const, order: [...to] };
  };
  void optimistic(orderFolders.asked({ order }), [deed(order)], [deed(before)]);
}

async function putAway({ id, name }: ChannelFolder, is_archived: boolean): Promise<void> {
  try {
    await editFolder(sync, { channel_folder_id: id, is_archived });
    showToast({ words: say(is_archived ? "folder-put-away" : "was-unarchived", { name }) });
  } catch (error) {
    showRefusal(error);
  }
}

function FolderDialog({ folder }: { folder?: ChannelFolder }) {
  keyed(`user:${now().people.me}`);
  const saving = useSaving();
  const name = useSignal(folder?.name ?? "");
  const description = useSignal(folder?.description ?? "");
  const save = async () => {
    const given = { name: name.value.trim(), description: description.value.trim() };
    const ask = () =>
      folder
        ? editFolder(sync, { channel_folder_id: folder.id, ...given })
        : makeFolder(sync, given);
    if (await saving.save("name", ask)) closeLayer(ID);
  };
  const wrong = saving.wrong.value["name"];
  return (
    <Dialog
      id={ID}
      may={isAdministrator(now())}
      title={folder ? say("edit-named", { name: folder.name }) : say("new-folder")}
      onSubmit={() => void save()}
      foot={<Foot isOff={name.value.trim() === "" || saving.busy.value !== undefined} />}
    >
      <div class="form">
        <label class="label">
          {say("name")}
          <span class="field" data-wrong={wrong === undefined ? undefined : ""}>
            <input
              value={name.value}
              maxLength={FOLDER_NAME_LENGTH_MAX}
              aria-invalid={wrong !== undefined}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value;
                saving.forget("name");
              }}
            />
          </span>
        </label>
        <Wrong words={wrong} />
        <WordsField
          label={say("what-for")}
          words={description}
          maxLength={FOLDER_DESCRIPTION_LENGTH_MAX}
        />
      </div>
    </Dialog>
  );
}

function Foot({ isOff }: { isOff: boolean }) {
  return (
    <>
      <Button onClick={() => closeLayer(ID)}>{say("cancel")}</Button>
      <Button kind="primary" type="submit" disabled={isOff}>
        {say("save")}
      </Button>
    </>
  );
}
