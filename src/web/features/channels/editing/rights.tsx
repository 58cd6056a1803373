// The permissions of a channel, each saved separately.
import { type Signal, useSignal } from "@preact/signals";
import type { ChannelPermission } from "../../../../features/rights/permission-rules.ts";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { type Saving, useSaving } from "../../../ui/saving.ts";
import { SaveRow } from "../../../ui/form/save-row.tsx";
import { say } from "../../../words/words.ts";
import { isSameSetting } from "../../groups/reach.ts";
import type { GroupSetting } from "../../groups/state.ts";
import { mayReadChannel, maySetDeleting } from "../asker.ts";
import type { KnownChannel } from "../state.ts";
import { Saved } from "./fields.tsx";
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
      <h2>{say("who-may-what")}</h2>
      <div>{FIRST.map(one)}</div>
      <details class="more-parts">
        <summary>{say("more-rights")}</summary>
        <div>{LATER.map(one)}</div>
      </details>
    </section>
  );
}

interface Changing {
  name: ChannelPermission;
  channel: KnownChannel;
  may: boolean;
  saving: Saving;
  changed: Signal<Partial<Record<ChannelPermission, GroupSetting>>>;
}

const OPENING: readonly ChannelPermission[] = [
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_administer_channel_group",
];

function Right({ name, channel, may, saving, changed }: Changing) {
  keyed(`channel:${channel.row.stream_id}`, "groups");
  const { row } = channel;
  const old = row[name] as GroupSetting;
  const value = changed.value[name] ?? old;
  const isOther = !isSameSetting(value, old);
  const drop = () => {
    const { [name]: _dropped, ...others } = changed.value;
    changed.value = others;
    saving.forget(name);
  };
  const save = async () => {
    const { stream_id } = row;
    const change = { [name]: { new: value, old } };
    if (await saving.save(name, () => editChannel(sync, { stream_id, ...change }))) drop();
  };
  const isOpening = OPENING.includes(name);
  return (
    <div class="permission">
      <ChannelRight
        name={name}
        value={value}
        isProtected={row.invite_only && !row.history_public_to_subscribers}
        mayChange={
          may &&
          (name === "can_administer_channel_group" || !isOpening || mayReadChannel(now(), channel))
        }
        maySetDeleting={maySetDeleting(now())}
        wrong={saving.wrong.value[name]}
        onChange={(next) => {
          changed.value = { ...changed.value, [name]: next };
          saving.forget(name);
        }}
      />
      {isOther && (
        <>
          {isOpening && <ShiftNote shift={shiftOf(channel, { [name]: value })} />}
          <SaveRow
            isBusy={saving.busy.value !== undefined}
            onSave={() => void save()}
            onCancel={drop}
          />
        </>
      )}
      {!isOther && saving.saved.value === name && <Saved />}
    </div>
  );
}
