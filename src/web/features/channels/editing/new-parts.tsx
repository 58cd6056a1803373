// The fields of a new channel: those that all are asked, and more that unfold.
import { known } from "../../../live.ts";
import { Wrong } from "../../../ui/form/text-field.tsx";
import { say } from "../../../words/words.ts";
import { Picker } from "../../picker/picker.tsx";
import {
  isAdministrator,
  isOwner,
  KINDS,
  type KindName,
  mayAddAtMaking,
  maySetDeleting,
  maySetTopics,
} from "../asker.ts";
import { type Draft, firstRight } from "./draft.ts";
import {
  DescriptionField,
  FolderField,
  KindChoice,
  NameField,
  RetentionField,
  SwitchField,
  TopicsField,
} from "./fields.tsx";
import { againstMaking, type Wrongs } from "./making.ts";
import { ChannelRight, FIRST, LATER } from "./permissions.tsx";

interface Shown {
  shown: Draft;
  set: (change: Partial<Draft>) => void;
  wrong: Wrongs;
}

export function Parts({ shown, set, wrong }: Shown) {
  const state = known()!;
  const { icon, kind } = KINDS.find(({ name }) => name === shown.kind)!;
  const place = state.organization.fields["realm_new_stream_announcements_stream_id"];
  const announcing = state.channels.channels.get(Number(place))?.row.name;
  return (
    <>
      <NameField
        value={shown.name}
        icon={icon}
        wrong={wrong.name}
        onInput={(name) => set({ name })}
      />
      <DescriptionField
        value={shown.description}
        wrong={wrong.description}
        onInput={(description) => set({ description })}
      />
      <div>
        <KindChoice
          value={shown.kind}
          onChoose={(name) => set({ kind: name, ...fitting(shown, name) })}
          reasonAgainst={againstMaking}
        />
        <Wrong words={wrong.kind} />
      </div>
      <div>
        <Picker
          label={say("who-is-in")}
          picked={shown.subscribers}
          kinds={["person", "group", "channel"]}
          mayBe={({ kind: of, id }) =>
            mayAddAtMaking(state) || (of === "person" && id === state.people.me)
          }
          placeholder={say("people-groups-channels")}
          isWrong={wrong.subscribers !== undefined}
          onChange={(subscribers) => set({ subscribers })}
        />
        {!mayAddAtMaking(state) && <p class="hint">{say("may-not-add")}</p>}
        <Wrong words={wrong.subscribers} />
      </div>
      {announcing !== undefined && (
        <SwitchField
          label={say("announce-in", { name: announcing })}
          value={shown.announce && !kind.invite_only}
          why={kind.invite_only ? say("private-is-closed") : undefined}
          wrong={undefined}
          onChange={(announce) => set({ announce })}
        />
      )}
      <details class="more-parts">
        <summary>{say("more-choices")}</summary>
        <div class="form">
          <Choices shown={shown} set={set} wrong={wrong} />
        </div>
      </details>
    </>
  );
}

function Choices({ shown, set, wrong }: Shown) {
  const state = known()!;
  const { kind } = KINDS.find(({ name }) => name === shown.kind)!;
  return (
    <>
      <div>
        <FolderField
          value={shown.folder_id}
          wrong={wrong.folder_id}
          onChange={(folder_id) => set({ folder_id })}
        />
        <TopicsField
          value={shown.topics_policy}
          may={maySetTopics(state)}
          wrong={wrong.topics_policy}
          onChange={(topics_policy) => set({ topics_policy })}
        />
        {isOwner(state) && (
          <RetentionField
            value={shown.message_retention_days}
            wrong={wrong.message_retention_days}
            onChange={(message_retention_days) => set({ message_retention_days })}
          />
        )}
        {isAdministrator(state) && (
          <SwitchField
            label={say("default-channel")}
            value={shown.is_default}
            why={kind.invite_only ? say("private-is-closed") : undefined}
            wrong={wrong.is_default}
            onChange={(is_default) => set({ is_default })}
          />
        )}
      </div>
      <div>
        {[...FIRST, ...LATER].map((name) => (
          <ChannelRight
            key={name}
            name={name}
            value={shown.rights[name] ?? firstRight(name)}
            isProtected={shown.kind === "protected"}
            mayChange
            maySetDeleting={maySetDeleting(state)}
            wrong={undefined}
            onChange={(value) => set({ rights: { ...shown.rights, [name]: value } })}
          />
        ))}
        <Wrong words={wrong.rights} />
      </div>
    </>
  );
}

/** A channel with a hidden past has topics that everyone may start, and no newcomers by itself. */
function fitting(shown: Draft, name: KindName): Partial<Draft> {
  const { invite_only } = KINDS.find((one) => one.name === name)!.kind;
  const { can_create_topic_group: _open, ...rights } = shown.rights;
  return {
    ...(invite_only && { is_default: false }),
    ...(name === "protected" && { rights }),
  };
}
