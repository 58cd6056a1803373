// The fields of a new channel: required ones, and expandable optional ones.
import { getState } from "../../../store/store.ts";
import { FieldError } from "../../../ui/form/text-field.tsx";
import { t } from "../../../words/words.ts";
import { Picker } from "../../picker/picker.tsx";
import {
  isAdministrator,
  isOwner,
  type KindName,
  canAddAtCreation,
  canSetDeleting,
  canSetTopics,
  kindNamed,
} from "../permissions.ts";
import { type ChannelDraft, initialPermission } from "./draft.ts";
import {
  DescriptionField,
  FolderField,
  KindChoice,
  NameField,
  RetentionField,
  SwitchField,
  TopicsField,
} from "./fields.tsx";
import { reasonAgainstKind, type FieldErrors } from "./create.ts";
import { ChannelPermissionField, FIRST_PERMISSIONS, FURTHER_PERMISSIONS } from "./permissions.tsx";

interface ChannelPartsProps {
  draft: ChannelDraft;
  set: (change: Partial<ChannelDraft>) => void;
  errors: FieldErrors;
}

export function OptionalFields({ draft, set, errors }: ChannelPartsProps) {
  const state = getState();
  const { icon, kind } = kindNamed(draft.kind);
  const announcements = state.organization.fields["realm_new_stream_announcements_stream_id"];
  const announcing = state.channels.channels.get(Number(announcements))?.row.name;
  return (
    <>
      <NameField
        value={draft.name}
        icon={icon}
        error={errors.name}
        onInput={(name) => set({ name })}
      />
      <DescriptionField
        value={draft.description}
        error={errors.description}
        onInput={(description) => set({ description })}
      />
      <div>
        <KindChoice
          value={draft.kind}
          onChoose={(name) => set({ kind: name, ...fitting(draft, name) })}
          reasonAgainst={reasonAgainstKind}
        />
        <FieldError text={errors.kind} />
      </div>
      <div>
        <Picker
          label={t("members-heading")}
          picked={draft.subscribers}
          kinds={["person", "group", "channel"]}
          canBePicked={({ kind: pickKind, id }) =>
            canAddAtCreation(state) || (pickKind === "person" && id === state.people.me)
          }
          placeholder={t("people-groups-channels")}
          isWrong={errors.subscribers !== undefined}
          onChange={(subscribers) => set({ subscribers })}
        />
        {!canAddAtCreation(state) && <p class="hint">{t("cannot-add-others")}</p>}
        <FieldError text={errors.subscribers} />
      </div>
      {announcing !== undefined && (
        <SwitchField
          label={t("announce-in", { name: announcing })}
          value={draft.announce && !kind.invite_only}
          why={kind.invite_only ? t("not-for-private-channels") : undefined}
          error={undefined}
          onChange={(announce) => set({ announce })}
        />
      )}
      <details class="more-parts">
        <summary>{t("more-choices")}</summary>
        <div class="form">
          <Choices draft={draft} set={set} errors={errors} />
        </div>
      </details>
    </>
  );
}

function Choices({ draft, set, errors }: ChannelPartsProps) {
  const state = getState();
  const { kind } = kindNamed(draft.kind);
  return (
    <>
      <div>
        <FolderField
          value={draft.folder_id}
          error={errors.folder_id}
          onChange={(folder_id) => set({ folder_id })}
        />
        <TopicsField
          value={draft.topics_policy}
          canChange={canSetTopics(state)}
          error={errors.topics_policy}
          onChange={(topics_policy) => set({ topics_policy })}
        />
        {isOwner(state) && (
          <RetentionField
            value={draft.message_retention_days}
            error={errors.message_retention_days}
            onChange={(message_retention_days) => set({ message_retention_days })}
          />
        )}
        {isAdministrator(state) && (
          <SwitchField
            label={t("default-channel")}
            value={draft.is_default}
            why={kind.invite_only ? t("not-for-private-channels") : undefined}
            error={errors.is_default}
            onChange={(is_default) => set({ is_default })}
          />
        )}
      </div>
      <div>
        {[...FIRST_PERMISSIONS, ...FURTHER_PERMISSIONS].map((name) => (
          <ChannelPermissionField
            key={name}
            name={name}
            value={draft.rights[name] ?? initialPermission(name)}
            isProtected={draft.kind === "protected"}
            canChange
            canSetDeleting={canSetDeleting(state)}
            error={undefined}
            onChange={(value) => set({ rights: { ...draft.rights, [name]: value } })}
          />
        ))}
        <FieldError text={errors.rights} />
      </div>
    </>
  );
}

/**
 * In a channel with protected history, everyone can start topics, and it cannot be a default
 * channel.
 */
function fitting(draft: ChannelDraft, name: KindName): Partial<ChannelDraft> {
  const { invite_only } = kindNamed(name).kind;
  const { can_create_topic_group: _open, ...rights } = draft.rights;
  return {
    ...(invite_only && { is_default: false }),
    ...(name === "protected" && { rights }),
  };
}
