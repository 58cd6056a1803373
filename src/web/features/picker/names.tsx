// Displays users, groups and channels in selection fields.
import { getState } from "../../store/store.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Colored } from "../../ui/colored.tsx";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { groupIcon, groupName } from "../groups/name-selectors.ts";
import { settingAudience } from "../groups/audience-selectors.ts";
import { roleWord } from "../people/selectors.ts";
import { personOf } from "../people/state.ts";
import { channelIcon } from "../typeahead/names.ts";
import type { Picked } from "./selectors.ts";

export function nameOfPicked({ kind, id }: Picked): string {
  const { people, groups, channels } = getState();
  if (kind === "person") return personOf(people, id)?.full_name ?? t("unknown-user");
  if (kind === "channel") return channels.channels.get(id)?.row.name ?? t("unknown-channel");
  const group = groups.groups.get(id);
  return group ? groupName(group) : t("unknown-group");
}

export function PickedIcon({ pick: { kind, id }, size }: { pick: Picked; size: 20 | 24 }) {
  const { people, groups, channels } = getState();
  if (kind === "person") {
    const person = personOf(people, id);
    return person ? <Avatar person={person} size={size} /> : <Icon name="person" size={18} />;
  }
  if (kind === "channel") {
    const row = channels.channels.get(id)?.row;
    return (
      <Colored color={row?.color} class="ch">
        <Icon name={row ? channelIcon(row) : "hash"} size={18} />
      </Colored>
    );
  }
  const group = groups.groups.get(id);
  return <Icon name={group ? groupIcon(group) : "people"} size={18} />;
}

/** Returns the kind of a choice, which is displayed beside its name. */
export function kindLabel({ kind, id }: Picked): string {
  const state = getState();
  if (kind === "person") {
    const person = personOf(state.people, id);
    if (!person) return "";
    return t(state.people.active.has(id) ? roleWord(person) : "deactivated");
  }
  if (kind === "channel") {
    return t("members", { count: state.channels.channels.get(id)?.row.subscriber_count ?? 0 });
  }
  const group = state.groups.groups.get(id);
  if (!group) return "";
  const count = settingAudience(state, id, true).people.size;
  return t(group.is_system_group ? "role-of" : "group-of", { count });
}
