// Deactivates a group, or shows where it is still in use, and reactivates it.
import { useSignal } from "@preact/signals";
import { editGroup, deactivateGroup } from "../../api/manage-calls.ts";
import { ApiError } from "../../contract/api-error.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../ui/layers.ts";
import { errorOf } from "../../ui/saving.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { canChangeGroup } from "./editing-permissions.ts";
import { groupName } from "./name-selectors.ts";
import type { Group } from "./state.ts";

const ID = "switch-off-group";

export function DeactivateGroup({ group }: { group: Group }) {
  subscribe("groups");
  const { deactivated } = group;
  return (
    <section>
      <h2>{t(deactivated ? "group-reactivate" : "group-deactivate")}</h2>
      <p class="intro">{t(deactivated ? "group-reactivate-hint" : "group-deactivate-hint")}</p>
      <div class="save-row">
        {deactivated ? (
          <Button onClick={() => void reactivateGroup(group)}>{t("group-reactivate")}</Button>
        ) : (
          <Button
            kind="danger"
            onClick={() => openLayer(ID, <DeactivateGroupDialog group={group} />)}
          >
            {t("group-deactivate")}
          </Button>
        )}
      </div>
    </section>
  );
}

async function reactivateGroup({ id, name }: Group): Promise<void> {
  try {
    await editGroup(sync, { user_group_id: id, deactivated: false });
    showToast({ text: t("group-was-reactivated", { name }) });
  } catch (error) {
    showRefusal(error);
  }
}

interface DeactivationObjection {
  type: "subgroup" | "channel" | "user_group" | "realm";
  supergroup_ids?: number[];
  channel_id?: number;
  group_id?: number;
}

function DeactivateGroupDialog({ group }: { group: Group }) {
  subscribe("groups", "realm", `user:${getState().people.me}`);
  const errors = useSignal<readonly string[]>([]);
  const isBusy = useSignal(false);
  const close = useCloseLayer(ID);
  const switchOff = async () => {
    isBusy.value = true;
    try {
      await deactivateGroup(sync, { user_group_id: group.id });
      close();
      const undo = () => void reactivateGroup(group);
      showToast({ text: t("group-was-deactivated", { name: group.name }), undo });
    } catch (error) {
      errors.value = reasonsOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      id={ID}
      isAllowed={canChangeGroup(getState(), group)}
      title={t("group-deactivate-confirm", { name: group.name })}
      onSubmit={() => void switchOff()}
      foot={
        <SubmitFoot id={ID} kind="danger" isDisabled={isBusy.value}>
          {t("group-deactivate")}
        </SubmitFoot>
      }
    >
      <p>{t("group-deactivate-hint")}</p>
      <div role="alert">
        {errors.value.length > 0 && (
          <ul class="hint wrong">
            {errors.value.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** The places that use the group and must be changed first. */
function reasonsOf(error: unknown): string[] {
  const objections = error instanceof ApiError ? error.body["objections"] : undefined;
  if (!Array.isArray(objections)) return [errorOf(error)];
  const all: readonly DeactivationObjection[] = objections;
  return all.flatMap(usesOf);
}

function usesOf({
  type,
  supergroup_ids = [],
  channel_id,
  group_id,
}: DeactivationObjection): string[] {
  const { groups, channels } = getState();
  const nameOf = (id: number | undefined): string => {
    const group = id === undefined ? undefined : groups.groups.get(id);
    return group ? groupName(group) : t("unknown-group");
  };
  if (type === "subgroup") {
    return supergroup_ids.map((id) => t("used-in-group", { name: nameOf(id) }));
  }
  if (type === "user_group") return [t("used-by-group", { name: nameOf(group_id) })];
  if (type === "realm") return [t("used-by-organization")];
  const name = channels.channels.get(channel_id ?? 0)?.row.name ?? t("unknown-channel");
  return [t("used-by-channel", { name })];
}
