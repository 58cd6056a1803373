// Switches a group off, or says where it is still in use, and switches it on again.
import { useSignal } from "@preact/signals";
import { editGroup, switchOffGroup } from "../../api/manage-calls.ts";
import { Refused } from "../../api/http.ts";
import { sync } from "../../here.ts";
import { keyed, now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { refusalOf } from "../../ui/saving.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { showRefusal } from "../../optimistic.ts";
import { mayChangeGroup } from "./asker.ts";
import { groupName } from "./names.ts";
import type { Group } from "./state.ts";

const ID = "switch-off-group";

export function SwitchOff({ group }: { group: Group }) {
  keyed("groups");
  const { deactivated } = group;
  return (
    <section>
      <h2>{say(deactivated ? "group-on-again" : "group-switch-off")}</h2>
      <p class="intro">{say(deactivated ? "group-on-means" : "group-off-means")}</p>
      <div class="save-row">
        {deactivated ? (
          <Button onClick={() => void switchOn(group)}>{say("group-on-again")}</Button>
        ) : (
          <Button kind="danger" onClick={() => openLayer(ID, <OffDialog group={group} />)}>
            {say("group-switch-off")}
          </Button>
        )}
      </div>
    </section>
  );
}

async function switchOn({ id, name }: Group): Promise<void> {
  try {
    await editGroup(sync, { user_group_id: id, deactivated: false });
    showToast({ words: say("group-is-on", { name }) });
  } catch (error) {
    showRefusal(error);
  }
}

interface Objection {
  type: "subgroup" | "channel" | "user_group" | "realm";
  supergroup_ids?: number[];
  channel_id?: number;
  group_id?: number;
}

function OffDialog({ group }: { group: Group }) {
  keyed("groups", "realm", `user:${now().people.me}`);
  const wrong = useSignal<readonly string[]>([]);
  const isBusy = useSignal(false);
  const switchOff = async () => {
    isBusy.value = true;
    try {
      await switchOffGroup(sync, { user_group_id: group.id });
      closeLayer(ID);
      const undo = () => void switchOn(group);
      showToast({ words: say("group-is-off", { name: group.name }), undo });
    } catch (error) {
      wrong.value = reasonsOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Dialog
      id={ID}
      may={mayChangeGroup(now(), group)}
      title={say("group-off-named", { name: group.name })}
      onSubmit={() => void switchOff()}
      foot={
        <>
          <Button onClick={() => closeLayer(ID)}>{say("cancel")}</Button>
          <Button kind="danger" type="submit" disabled={isBusy.value}>
            {say("group-switch-off")}
          </Button>
        </>
      }
    >
      <p>{say("group-off-means")}</p>
      <div role="alert">
        {wrong.value.length > 0 && (
          <ul class="hint wrong">
            {wrong.value.map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** The places that use the group and must be changed first. */
function reasonsOf(error: unknown): string[] {
  const objections = error instanceof Refused ? error.body["objections"] : undefined;
  if (!Array.isArray(objections)) return [refusalOf(error)];
  return (objections as Objection[]).flatMap(placesOf);
}

function placesOf({ type, supergroup_ids = [], channel_id, group_id }: Objection): string[] {
  const { groups, channels } = now();
  const nameOf = (id: number | undefined): string => {
    const group = id === undefined ? undefined : groups.groups.get(id);
    return group ? groupName(group) : say("unknown-group");
  };
  if (type === "subgroup") {
    return supergroup_ids.map((id) => say("used-in-group", { name: nameOf(id) }));
  }
  if (type === "user_group") return [say("used-by-group", { name: nameOf(group_id) })];
  if (type === "realm") return [say("used-by-organization")];
  const name = channels.channels.get(channel_id ?? 0)?.row.name ?? say("unknown-channel");
  return [say("used-by-channel", { name })];
}
