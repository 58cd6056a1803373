// The permissions of a channel, each saved as soon as it is chosen.
import type { ChannelPermission } from "../../../../features/rights/permission-rules.ts";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { type Saving, useSaving } from "../../../ui/saving.ts";
import { t } from "../../../words/words.ts";
import { SavedPermission } from "../../picker/saved-permission.tsx";
import { canReadChannel, canSetDeleting } from "../permissions.ts";
import type { KnownChannel } from "../state.ts";
import { ChannelPermissionField, FIRST_PERMISSIONS, FURTHER_PERMISSIONS } from "./permissions.tsx";
import { AudienceChangeNote, audienceChangeOf } from "./audience-change.tsx";

export function SavedPermissions({
  channel,
  canChange,
}: {
  channel: KnownChannel;
  canChange: boolean;
}) {
  const saving = useSaving();
  const permissionField = (name: ChannelPermission) => (
    <SavedChannelPermission
      key={name}
      name={name}
      channel={channel}
      canChange={canChange}
      saving={saving}
    />
  );
  return (
    <section data-part="permissions" tabIndex={-1}>
      <h2>{t("permissions")}</h2>
      <div>{FIRST_PERMISSIONS.map(permissionField)}</div>
      <details class="more-parts">
        <summary>{t("more-permissions")}</summary>
        <div>{FURTHER_PERMISSIONS.map(permissionField)}</div>
      </details>
    </section>
  );
}

interface SavedChannelPermissionProps {
  name: ChannelPermission;
  channel: KnownChannel;
  canChange: boolean;
  saving: Saving;
}

/**
 * Permissions that decide who can read or change the channel. The effect of a change is displayed
 * before it is saved.
 */
const OPENING_PERMISSIONS: readonly ChannelPermission[] = [
  "can_subscribe_group",
  "can_add_subscribers_group",
  "can_administer_channel_group",
];

function SavedChannelPermission({ name, channel, canChange, saving }: SavedChannelPermissionProps) {
  subscribe(`channel:${channel.row.stream_id}`, "groups");
  const { row } = channel;
  const { stream_id } = row;
  const isOpening = OPENING_PERMISSIONS.includes(name);
  return (
    <SavedPermission
      name={name}
      value={row[name]}
      saving={saving}
      set={(next, old) => editChannel(sync, { stream_id, [name]: { new: next, old } })}
      isConfirmed={isOpening}
      effectOf={(value) => (
        <AudienceChangeNote change={audienceChangeOf(channel, { [name]: value })} />
      )}
    >
      {(field) => (
        <ChannelPermissionField
          name={name}
          {...field}
          isProtected={row.invite_only && !row.history_public_to_subscribers}
          canChange={
            canChange &&
            (name === "can_administer_channel_group" ||
              !isOpening ||
              canReadChannel(getState(), channel))
          }
          canSetDeleting={canSetDeleting(getState())}
        />
      )}
    </SavedPermission>
  );
}
