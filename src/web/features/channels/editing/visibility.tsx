// Previews who gains and loses access to a channel before the change is saved.
import { useSignal } from "@preact/signals";
import { editChannel } from "../../../api/manage-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { SaveRow } from "../../../ui/form/save-row.tsx";
import { useSaving } from "../../../ui/saving.ts";
import { showToast } from "../../../ui/toast.tsx";
import { valueOf } from "../../../content/item-at.ts";
import { t } from "../../../words/words.ts";
import { type KindName, kindOf, canReadChannel, kindNamed } from "../permissions.ts";
import type { KnownChannel } from "../state.ts";
import { KindChoice } from "./fields.tsx";
import { reasonAgainstKind } from "./create.ts";
import { AudienceChangeNote, audienceChangeOf } from "./audience-change.tsx";

export function Visibility({ channel: row }: { channel: KnownChannel["row"] }) {
  const saving = useSaving();
  const selectedKind = useSignal<KindName | undefined>(undefined);
  subscribe(`channel:${row.stream_id}`, `subscribers:${row.stream_id}`, "channels", "groups");
  const present = kindOf(row).name;
  const name = selectedKind.value ?? present;
  const { kind } = kindNamed(name);
  const channel = valueOf(getState().channels.channels, row.stream_id);
  const save = async () => {
    const { invite_only: is_private, ...rest } = kind;
    const { stream_id } = row;
    const ask = () => editChannel(sync, { stream_id, is_private, ...rest });
    if (!(await saving.save("kind", ask))) return;
    selectedKind.value = undefined;
    showToast({ text: t("visibility-changed") });
  };
  const isOther = name !== present;
  return (
    <div>
      <KindChoice
        value={name}
        onChoose={(next) => {
          selectedKind.value = next === present ? undefined : next;
          saving.forget("kind");
        }}
        reasonAgainst={(next) => reasonAgainstChange(channel, next)}
      />
      <FieldError text={saving.errors.value["kind"]} />
      {isOther && (
        <>
          <AudienceChangeNote
            change={audienceChangeOf(channel, kind)}
            isEarlierHidden={name === "protected"}
          />
          <SaveRow
            isBusy={saving.busy.value !== undefined}
            onSave={() => void save()}
            onCancel={() => (selectedKind.value = undefined)}
          />
        </>
      )}
    </div>
  );
}

function reasonAgainstChange(channel: KnownChannel, name: KindName): string | undefined {
  const { invite_only } = kindNamed(name).kind;
  const { stream_id } = channel.row;
  if (name === kindOf(channel.row).name) return undefined;
  if (!canReadChannel(getState(), channel)) return t("channel-readers-only");
  if (invite_only && getState().channels.defaults.includes(stream_id))
    return t("default-channel-not-private");
  return reasonAgainstKind(name);
}
