// Ends an account that was made to spam: what happens then is said before it does.
import { endSpam } from "../../api/manage-calls.ts";
import { sync } from "../../here.ts";
import type { State } from "../../state.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { roleOf } from "../groups/may.ts";
import { Refusal, useSending } from "../settings/form.tsx";
import type { Person } from "./state.ts";

const ID = "end-spam";
const [OWNER, ADMINISTRATOR, MODERATOR] = [100, 200, 300];
const HOUR_MS = 3_600_000;

/** Administrators everybody's but owners'; moderators only those of newcomers. */
export function mayEndSpam(state: State, person: Person): boolean {
  const { people, organization } = state;
  const [role, { user_id, is_bot }] = [roleOf(state), person];
  if (user_id === people.me || is_bot || people.deactivated.has(user_id)) return false;
  if (role <= ADMINISTRATOR) return role === OWNER || person.role !== OWNER;
  if (role !== MODERATOR || person.role <= MODERATOR) return false;
  const hours = Number(organization.fields["realm_newcomer_hours"] ?? 0);
  return Date.now() - Date.parse(person.date_joined) < hours * HOUR_MS;
}

/** Beside other things that one can do about somebody. */
export function EndSpamButton({ state, person }: { state: State; person: Person }) {
  if (!mayEndSpam(state, person)) return null;
  return (
    <Button kind="danger" onClick={() => openLayer(ID, <EndSpam person={person} />)}>
      {say("end-spam")}
    </Button>
  );
}

/** Of channels of every kind and of direct messages. */
const EVERYWHERE = {
  delete_public_channel_messages: true,
  delete_private_channel_messages: true,
  delete_direct_messages: true,
};

function EndSpam({ person: { user_id, full_name: name } }: { person: Person }) {
  const { refusal, isBusy, send } = useSending();
  const submit = async () => {
    if (!(await send(() => endSpam(sync, { user_id, actions: EVERYWHERE })))) return;
    closeLayer(ID);
    showToast({ words: say("end-spam-done", { name }) });
  };
  return (
    <Dialog
      id={ID}
      title={say("end-spam-of", { name })}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={() => closeLayer(ID)}>{say("cancel")}</Button>
          <Button kind="danger" type="submit" disabled={isBusy.value}>
            {say("end-spam-now")}
          </Button>
        </>
      }
    >
      <ul class="people-follows">
        <li>{say("end-spam-out")}</li>
        <li>{say("end-spam-messages")}</li>
        <li>{say("end-spam-back")}</li>
      </ul>
      <Refusal words={refusal.value} />
    </Dialog>
  );
}
