// Deactivates an account, after a dialog that explains the consequences.
import { type Signal, useSignal } from "@preact/signals";
import { ADMINISTRATOR, MODERATOR } from "../../../contract/roles.ts";
import { DEACTIVATION_COMMENT_LENGTH_MAX } from "../../../features/rights/rules.ts";
import { dropBot } from "../../api/account-calls.ts";
import { deactivatePerson, reactivatePerson } from "../../api/organization-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState, onChange } from "../../store/store.ts";
import { Dialog, SubmitFoot } from "../../ui/dialog.tsx";
import { openLayer, useCloseLayer } from "../../ui/layers.ts";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { roleOf } from "../groups/permissions.ts";
import { sendsMail } from "../organization/selectors.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { roleWord } from "../people/selectors.ts";
import type { Person } from "../people/state.ts";
import { Identity, type Proof, useIdentity } from "../settings/identity.tsx";
import { openIdentityDialog } from "../settings/identity-dialog.tsx";

const ID = "deactivate";

/** Data that can be deleted too, permanently. */
const DEACTIVATION_OPTIONS = [
  ["delete_profile", "org-delete-profile"],
  ["delete_public_channel_messages", "org-delete-public"],
  ["delete_private_channel_messages", "org-delete-private"],
  ["delete_direct_messages", "org-delete-direct"],
] as const satisfies readonly (readonly [string, TextKey])[];
type DeactivationOption = (typeof DEACTIVATION_OPTIONS)[number][0];
/** The options that remove spam together with the account. */
const MESSAGES: readonly DeactivationOption[] = [
  "delete_public_channel_messages",
  "delete_private_channel_messages",
  "delete_direct_messages",
];

/** `withMessages`: deleting the user's messages is preselected. */
export function openDeactivate(person: Person, withMessages = false): void {
  openLayer(ID, <Deactivate person={person} first={withMessages ? MESSAGES : []} />);
}

/** Reactivates an account. Accounts that can change the organization need a proof of identity. */
export async function reactivateAccount(person: Person): Promise<void> {
  const { user_id, full_name: name, role } = person;
  if (role > ADMINISTRATOR) {
    if (await runWithToast(() => reactivatePerson(sync, { user_id }))) await announce(person);
    return;
  }
  openIdentityDialog({
    title: t("org-reactivate-confirm", { name }),
    about: [t("org-reactivate-role", { role: t(roleWord({ role, is_bot: false })) })],
    button: t("org-reactivate"),
    kind: "primary",
    isAllowed: () => roleOf(getState()) <= ADMINISTRATOR,
    action: (proof) => reactivatePerson(sync, { user_id, ...proof }),
    onDone: () => announce(person),
  });
}

async function announce({ user_id, full_name: name, bot_owner_id }: Person): Promise<void> {
  await untilReactivated(user_id);
  // A bot without an active owner gets a new owner, who receives a new key.
  const { active, me } = getState().people;
  const isMine = bot_owner_id !== me && active.get(user_id)?.bot_owner_id === me;
  showToast({ text: t(isMine ? "bot-reactivated-as-owner" : "account-reactivated", { name }) });
}

/** Resolves when the event about the account has arrived. */
function untilReactivated(user_id: number): Promise<void> {
  return new Promise((resolve) => {
    const checkActive = () => {
      if (!getState().people.active.has(user_id)) return;
      end();
      resolve();
    };
    const end = onChange(checkActive);
    checkActive();
  });
}

function Deactivate({ person, first }: { person: Person; first: readonly DeactivationOption[] }) {
  subscribe(`user:${getState().people.me}`);
  const { user_id, full_name: name, is_bot } = person;
  // Spammers get no email by default.
  const [sendsEmail, comment] = [
    useSignal(!is_bot && sendsMail() && first.length === 0),
    useSignal(""),
  ];
  const more = useSignal<ReadonlySet<DeactivationOption>>(new Set(first));
  const deactivate = (proof: Proof) => {
    if (is_bot) return dropBot(sync, { bot_id: user_id });
    return deactivatePerson(sync, {
      user_id,
      ...proof,
      ...(sendsEmail.value && { deactivation_notification_comment: comment.value }),
      ...(more.value.size > 0 && {
        actions: Object.fromEntries([...more.value].map((option) => [option, true])),
      }),
    });
  };
  const close = useCloseLayer(ID);
  const closeWhenDone = () => {
    close();
    // Moderators cannot reactivate accounts, and deleted data cannot be restored.
    const canUndo = more.value.size === 0 && roleOf(getState()) <= ADMINISTRATOR;
    const undo = canUndo && { undo: () => void reactivateAccount(person) };
    const areDeleted = MESSAGES.some((option) => more.value.has(option));
    showToast({
      text: t(areDeleted ? "end-spam-done" : "org-user-deactivated", { name }),
      ...undo,
    });
  };
  const identifying = useIdentity({ action: deactivate, onDone: closeWhenDone, isNeeded: !is_bot });
  return (
    <Dialog
      id={ID}
      isAllowed={roleOf(getState()) <= MODERATOR}
      title={t("org-deactivate-named", { name })}
      onSubmit={identifying.submit}
      foot={
        <SubmitFoot id={ID} kind="danger" isDisabled={identifying.isBusy || !identifying.isReady}>
          {t(more.value.size > 0 ? "org-deactivate-and-delete" : "settings-deactivate-now")}
        </SubmitFoot>
      }
    >
      <DeactivationConsequences person={person} more={more.value} />
      {!is_bot && (
        <>
          {sendsMail() && <EmailNotice isNotified={sendsEmail} comment={comment} />}
          <DeletionOptions more={more} isOpen={first.length > 0} />
        </>
      )}
      <Identity fields={identifying.fields} isFocused={false} />
    </Dialog>
  );
}

function DeletionOptions({
  more,
  isOpen,
}: {
  more: Signal<ReadonlySet<DeactivationOption>>;
  isOpen: boolean;
}) {
  const choose = (option: DeactivationOption, isSelected: boolean) => {
    const next = new Set(more.value);
    if (isSelected) next.add(option);
    else next.delete(option);
    more.value = next;
  };
  return (
    <details class="more-parts" open={isOpen}>
      <summary>{t("org-delete-more")}</summary>
      <p class="hint">{t("org-delete-more-hint")}</p>
      {DEACTIVATION_OPTIONS.map(([option, textKey]) => (
        <label key={option} class="org-check">
          <input
            type="checkbox"
            checked={more.value.has(option)}
            onChange={({ currentTarget }) => choose(option, currentTarget.checked)}
          />
          {t(textKey)}
        </label>
      ))}
    </details>
  );
}

function DeactivationConsequences({
  person,
  more,
}: {
  person: Person;
  more: ReadonlySet<DeactivationOption>;
}) {
  subscribe("users");
  const { user_id, is_bot } = person;
  const isAdministrator = roleOf(getState()) <= ADMINISTRATOR;
  const comesBack = !more.has("delete_profile");
  const bots = [...getState().people.active.values()].filter(
    ({ bot_owner_id }) => bot_owner_id === user_id,
  );
  if (is_bot) return <p>{t("settings-bot-end-sure")}</p>;
  const names = bots.map(({ full_name }) => full_name).join(", ");
  return (
    <ul class="org-follows">
      <li>{t("org-deactivate-signed-out")}</li>
      {bots.length > 0 && <li>{t("org-deactivate-bots", { count: bots.length, names })}</li>}
      <li>{t("org-deactivate-invitations")}</li>
      {more.size === 0 && <li>{t("org-deactivate-kept")}</li>}
      {comesBack && <li>{t(isAdministrator ? "org-deactivate-undo-hint" : "end-spam-back")}</li>}
    </ul>
  );
}

function EmailNotice({
  isNotified,
  comment,
}: {
  isNotified: { value: boolean };
  comment: { value: string };
}) {
  return (
    <>
      <label class="org-check">
        <input
          type="checkbox"
          checked={isNotified.value}
          onChange={({ currentTarget }) => (isNotified.value = currentTarget.checked)}
        />
        {t("org-notify-by-email")}
      </label>
      {isNotified.value && (
        <label class="settings-field">
          {t("org-email-message")}
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
