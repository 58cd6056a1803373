// Switching an account off: what follows from it is said first.
import { type Signal, useSignal } from "@preact/signals";
import { DEACTIVATION_COMMENT_LENGTH_MAX } from "../../../../features/rights/rules.ts";
import { dropBot } from "../../../api/account-calls.ts";
import { deactivatePerson } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { closeLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { say, type Word } from "../../../words/words.ts";
import type { Person } from "../../people/state.ts";
import { Refusal, useSending } from "../../settings/form.tsx";
import { bringBack } from "./acts.ts";

export const DEACTIVATE = "deactivate";

/** What can be deleted besides, and never comes back. */
const MORE = [
  ["delete_profile", "org-delete-profile"],
  ["delete_public_channel_messages", "org-delete-public"],
  ["delete_private_channel_messages", "org-delete-private"],
  ["delete_direct_messages", "org-delete-direct"],
] as const satisfies readonly (readonly [string, Word])[];
type More = (typeof MORE)[number][0];

export function Deactivate({ person }: { person: Person }) {
  const { user_id, full_name: name, is_bot } = person;
  const { refusal, isBusy, send } = useSending();
  const [isTold, comment] = [useSignal(false), useSignal("")];
  const more = useSignal<ReadonlySet<More>>(new Set());
  const switchOff = () => {
    if (is_bot) return dropBot(sync, { bot_id: user_id });
    return deactivatePerson(sync, {
      user_id,
      ...(isTold.value && { deactivation_notification_comment: comment.value }),
      ...(more.value.size > 0 && {
        actions: Object.fromEntries([...more.value].map((one) => [one, true])),
      }),
    });
  };
  const submit = async () => {
    if (!(await send(switchOff))) return;
    closeLayer(DEACTIVATE);
    const undo = more.value.size > 0 ? {} : { undo: () => void bringBack(person) };
    showToast({ words: say("org-is-off", { name }), ...undo });
  };
  return (
    <Dialog
      id={DEACTIVATE}
      title={say("org-deactivate-named", { name })}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={() => closeLayer(DEACTIVATE)}>{say("cancel")}</Button>
          <Button kind="danger" type="submit" disabled={isBusy.value}>
            {say(more.value.size > 0 ? "org-deactivate-and-delete" : "settings-leave-now")}
          </Button>
        </>
      }
    >
      <Consequences person={person} />
      {!is_bot && (
        <>
          <Told isTold={isTold} comment={comment} />
          <Besides more={more} />
        </>
      )}
      <Refusal words={refusal.value} />
    </Dialog>
  );
}

function Besides({ more }: { more: Signal<ReadonlySet<More>> }) {
  const choose = (one: More, is: boolean) => {
    const next = new Set(more.value);
    if (is) next.add(one);
    else next.delete(one);
    more.value = next;
  };
  return (
    <details class="more-parts">
      <summary>{say("org-delete-more")}</summary>
      <p class="hint">{say("org-delete-more-hint")}</p>
      {MORE.map(([one, words]) => (
        <label key={one} class="org-check">
          <input
            type="checkbox"
            checked={more.value.has(one)}
            onChange={({ currentTarget }) => choose(one, currentTarget.checked)}
          />
          {say(words)}
        </label>
      ))}
    </details>
  );
}

function Consequences({ person: { user_id, is_bot } }: { person: Person }) {
  keyed("users");
  const bots = [...now().people.active.values()].filter(
    ({ bot_owner_id }) => bot_owner_id === user_id,
  );
  if (is_bot) return <p>{say("settings-bot-end-sure")}</p>;
  const names = bots.map(({ full_name }) => full_name).join(", ");
  return (
    <ul class="org-follows">
      <li>{say("org-off-signed-out")}</li>
      {bots.length > 0 && <li>{say("org-off-bots", { count: bots.length, names })}</li>}
      <li>{say("org-off-invitations")}</li>
      <li>{say("org-off-kept")}</li>
      <li>{say("org-off-back")}</li>
    </ul>
  );
}

function Told({ isTold, comment }: { isTold: { value: boolean }; comment: { value: string } }) {
  return (
    <>
      <label class="org-check">
        <input
          type="checkbox"
          checked={isTold.value}
          onChange={({ currentTarget }) => (isTold.value = currentTarget.checked)}
        />
        {say("org-tell-by-mail")}
      </label>
      {isTold.value && (
        <label class="settings-field">
          {say("org-tell-words")}
          <span class="field">
            <textarea
              rows={3}
              maxLength={DEACTIVATION_COMMENT_LENGTH_MAX}
              value={comment.value}
              onInput={({ currentTarget }) => (comment.value = currentTarget.value)}
            />
          </span>
        </label>
      )}
    </>
  );
}
