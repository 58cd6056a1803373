// The permissions of a channel, each saved as soon as it is chosen.
import { type Signal, useSignal } from "@preact/signals";
import type { ChannelPermission } from "../../../../features/rights/permission-rules.ts";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, now } from "../../../store/store.ts";
import { type Saving, useSaving } from "../../../ui/saving.ts";
import { SavedPart } from "../../../ui/form/saved-note.tsx";
import { useSavedChoice } from "../../../ui/form/saved-choice.ts";
import { SaveRow } from "../../../ui/form/save-row.tsx";
import { t } from "../../../words/words.ts";
import { isSameSetting } from "../../groups/reach-selectors.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { canReadChannel, canSetDeleting } from "../permissions.ts";
import type { KnownChannel } from "../state.ts";
import { ChannelRight, FIRST, LATER } from "./permissions.tsx";
import { ShiftNote, shiftOf } from "./shift.tsx";

export function RightsPart({ channel, may }: { channel: KnownChannel; may: boolean }) {
  const saving = useSaving();
  const changed = useSignal<Partial<Record<ChannelPermission, GroupSetting>>>({});
  const one = (name: ChannelPermission) => (
    <Right key={name} name={name} channel={channel} may={may} saving={saving} changed={changed} />
  );
  return (
    <section data-part="permissions" tabIndex={-1}>
      <h2>{t("who-may-what")}</h2>
      <div>{FIRST.map(one)}</div>
      <details class="more-parts">
        <summary>{t("more-rights")}</summary>
        <div>{LATER.map(one)}</div>
      </details>
    </section>
  );
}

interface RightProps {
  name: ChannelPermission;
  channel: KnownChannel;
  may: boolean;
  saving: Saving;
  changed: Signal<Partial<Record<ChannelPermission, GroupSetting>>>;
}

/** These decide who can read or change the channel: the effect is shown before they are saved. */
const OPENING: readonly ChannelPermission[] = [
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_administer_channel_group",
];

function Right({ name, channel, may, saving, changed }: RightProps) {
  subscribe(`channel:${channel.row.stream_id}`, "groups");
  const { row } = channel;
  const { stream_id, [name]: old } = row;
  const set = (next: GroupSetting, from: GroupSetting) =>
    editChannel(sync, { stream_id, [name]: { new: next, old: from } });
  const saved = useSavedChoice({ value: old, part: name, saving, set });
  const isOpening = OPENING.includes(name);
  const value = changed.value[name] ?? saved.value;
  const choose = (next: GroupSetting) => {
    saving.forget(name);
    if (isOpening) changed.value = { ...changed.value, [name]: next };
    else void saved.choose(next);
  };
  const drop = () => {
    const { [name]: _dropped, ...others } = changed.value;
    changed.value = others;
    saving.forget(name);
  };
  const confirm = async () => {
    if (await saved.choose(value)) drop();
  };
  const isOther = isOpening && !isSameSetting(value, saved.stored);
  return (
    <div class="permission">
      <ChannelRight
        name={name}
        value={value}
        isProtected={row.invite_only && !row.history_public_to_subscribers}
        mayChange={
          may &&
          (name === "can_administer_channel_group" || !isOpening || canReadChannel(now(), channel))
        }
        maySetDeleting={canSetDeleting(now())}
        wrong={saving.wrong.value[name]}
        onChange={choose}
      />
      {isOther && (
        <>
          <ShiftNote shift={shiftOf(channel, { [name]: value })} />
          <SaveRow
            isBusy={saving.busy.value !== undefined}
            onSave={() => void confirm()}
            onCancel={drop}
          />
        </>
      )}
      {!isOther && <SavedPart saving={saving} part={name} />}
    </div>
  );
}
