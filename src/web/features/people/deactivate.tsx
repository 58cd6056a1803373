// Switching an account off: what follows from it is said first.
import { type Signal, useSignal } from "@preact/signals";
import { ADMINISTRATOR, MODERATOR } from "../../../contract/roles.ts";
import { DEACTIVATION_COMMENT_LENGTH_MAX } from "../../../features/rights/rules.ts";
import { dropBot } from "../../api/account-calls.ts";
import { deactivatePerson, restorePerson } from "../../api/organization-calls.ts";
import { sync } from "../../here.ts";
import { keyed, now, onChange } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { say, type Word } from "../../words/words.ts";
import { roleOf } from "../groups/may.ts";
import { sendsMail } from "../notifications/mail.ts";
import { attempt, Refusal, useSending } from "../settings/form.tsx";
import type { Person } from "./state.ts";

const ID = "deactivate";

/** What can be deleted too, permanently. */
const MORE = [
  ["delete_profile", "org-delete-profile"],
  ["delete_public_channel_messages", "org-delete-public"],
  ["delete_private_channel_messages", "org-delete-private"],
  ["delete_direct_messages", "org-delete-direct"],
] as const satisfies readonly (readonly [string, Word])[];
type More = (typeof MORE)[number][0];
/** Removes spam together with the account. */
const MESSAGES: readonly More[] = [
  "delete_public_channel_messages",
  "delete_private_channel_messages",
  "delete_direct_messages",
];

/** `withMessages`: what they wrote is to go, unless one says otherwise. */
export function openDeactivate(person: Person, withMessages = false): void {
  openLayer(ID, <Deactivate person={person} first={withMessages ? MESSAGES : []} />);
}

export async function bringBack({ user_id, full_name: name, bot_owner_id }: Person): Promise<void> {
  if (!(await attempt(() => restorePerson(sync, { user_id })))) return;
  await whenBack(user_id);
  // A bot whose owner is away gets another one, who is given a key of their own.
  const { active, me } = now().people;
  const isMine = bot_owner_id !== me && active.get(user_id)?.bot_owner_id === me;
  showToast({ words: say(isMine ? "is-back-yours" : "is-back", { name }) });
}

/** Resolves when the event about the account has arrived. */
function whenBack(user_id: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!now().people.active.has(user_id)) return;
      end();
      resolve();
    };
    const end = onChange(look);
    look();
  });
}

function Deactivate({ person, first }: { person: Person; first: readonly More[] }) {
  keyed(`user:${now().people.me}`);
  const { user_id, full_name: name, is_bot } = person;
  const { refusal, isBusy, send } = useSending();
  const [isTold, comment] = [useSignal(false), useSignal("")];
  const more = useSignal<ReadonlySet<More>>(new Set(first));
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
    closeLayer(ID);
    // Moderators bring nobody back, and what was deleted stays so.
    const mayUndo = more.value.size === 0 && roleOf(now()) <= ADMINISTRATOR;
    const undo = mayUndo && { undo: () => void bringBack(person) };
    const areGoing = MESSAGES.some((one) => more.value.has(one));
    showToast({ words: say(areGoing ? "end-spam-done" : "org-is-off", { name }), ...undo });
  };
  return (
    <Dialog
      id={ID}
      may={roleOf(now()) <= MODERATOR}
      title={say("org-deactivate-named", { name })}
      onSubmit={() => void submit()}
      foot={
        <>
          <Button onClick={() => closeLayer(ID)}>{say("cancel")}</Button>
          <Button kind="danger" type="submit" disabled={isBusy.value}>
            {say(more.value.size > 0 ? "org-deactivate-and-delete" : "settings-leave-now")}
          </Button>
        </>
      }
    >
      <Consequences person={person} more={more.value} />
      {!is_bot && (
        <>
          {sendsMail() && <Told isTold={isTold} comment={comment} />}
          <Besides more={more} isOpen={first.length > 0} />
        </>
      )}
      <Refusal words={refusal.value} />
    </Dialog>
  );
}

function Besides({ more, isOpen }: { more: Signal<ReadonlySet<More>>; isOpen: boolean }) {
  const choose = (one: More, is: boolean) => {
    const next = new Set(more.value);
    if (is) next.add(one);
    else next.delete(one);
    more.value = next;
  };
  return (
    <details class="more-parts" open={isOpen}>
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

function Consequences({ person, more }: { person: Person; more: ReadonlySet<More> }) {
  keyed("users");
  const { user_id, is_bot } = person;
  const isAdministrator = roleOf(now()) <= ADMINISTRATOR;
  const comesBack = !more.has("delete_profile");
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
      {more.size === 0 && <li>{say("org-off-kept")}</li>}
      {comesBack && <li>{say(isAdministrator ? "org-off-back" : "end-spam-back")}</li>}
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
