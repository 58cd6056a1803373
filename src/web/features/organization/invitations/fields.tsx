// Fields of an invitation: the role, the end of its validity and the channels.
import type { Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { MEMBER } from "../../../../contract/roles.ts";
import { t } from "../../../words/words.ts";
import { roleMeaning } from "../../administration/change-role.ts";
import { roleWord } from "../../people/selectors.ts";
import { Picker } from "../../picker/picker.tsx";
import { canAddToInvitation, initialChannels, MINUTES, rolesToInvite } from "./draft.ts";

interface JoinAsProps {
  role: Signal<number>;
  minutes: Signal<number | null>;
  channels: Signal<ReturnType<typeof initialChannels>>;
}

export function InvitationFields({ role, minutes, channels }: JoinAsProps) {
  const id = useId();
  const choose = (next: number) => {
    role.value = next;
    channels.value = initialChannels(next);
  };
  return (
    <>
      <div class="org-pair">
        <Role role={role} choose={choose} />
        <Expiry minutes={minutes} />
      </div>
      <div>
        <label class="label" for={id}>
          {t("invite-channels")}
        </label>
        <Picker
          id={id}
          label={t("invite-channels")}
          isLabelled
          placeholder={t("invite-no-channels")}
          picked={channels.value}
          kinds={["channel"]}
          canBePicked={canAddToInvitation}
          onChange={(all) => (channels.value = all)}
        />
      </div>
    </>
  );
}

type RoleProps = Pick<JoinAsProps, "role"> & { choose: (role: number) => void };

function Role({ role, choose }: RoleProps) {
  const id = useId();
  return (
    <div>
      <label class="settings-field">
        {t("invite-role")}
        <span class="field">
          <select
            aria-describedby={role.value === MEMBER ? undefined : id}
            value={role.value}
            onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
          >
            {rolesToInvite().map((role) => (
              <option key={role} value={role}>
                {t(roleWord({ role: role, is_bot: false }))}
              </option>
            ))}
          </select>
        </span>
      </label>
      {role.value !== MEMBER && (
        <p class="hint" id={id}>
          {roleMeaning(role.value)}
        </p>
      )}
    </div>
  );
}

function Expiry({ minutes }: Pick<JoinAsProps, "minutes">) {
  return (
    <div>
      <label class="settings-field">
        {t("invite-ends-after")}
        <span class="field">
          <select
            value={String(minutes.value)}
            onChange={({ currentTarget: { value } }) => {
              minutes.value = value === "null" ? null : Number(value);
            }}
          >
            {MINUTES.map((minutes) => (
              <option key={minutes} value={String(minutes)}>
                {minutes === null ? t("never") : t("retention-days", { count: minutes / 1440 })}
              </option>
            ))}
          </select>
        </span>
      </label>
    </div>
  );
}
