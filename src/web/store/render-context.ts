// The names that the message renderer looks up, from the state.
import { isSameWhenNormalized } from "../../text/input/normalize-name.ts";
import type { RenderContext } from "../../text/markdown/context.ts";
import { foldTopic } from "../conversation-keys.ts";
import type { Group } from "../features/groups/state.ts";
import { personOf, type Person } from "../features/people/state.ts";
import type { State } from "./state.ts";

export function renderContext(state: State): RenderContext {
  const { people, groups, channels, topics, organization, settings } = state;
  const { fields } = organization;
  return {
    realm_url: location.origin,
    default_code_block_language: String(fields["realm_default_code_block_language"] ?? ""),
    translate_emoticons: settings.settings["translate_emoticons"] === true,
    inline_image_preview: fields["realm_inline_image_preview"] !== false,
    linkifiers: [],
    userById: (id) => userInContext(personOf(people, id), people.active),
    usersByName(name) {
      const lowerCaseName = name.toLowerCase();
      const all = [...people.active.values(), ...people.deactivated.values()];
      return all
        .filter(({ full_name }) => full_name.toLowerCase() === lowerCaseName)
        .flatMap((person) => userInContext(person, people.active) ?? []);
    },
    groupByName(name) {
      for (const group of groups.groups.values())
        if (group.name === name) return groupInContext(group);
      return undefined;
    },
    channelByName(name) {
      for (const { row } of channels.channels.values())
        if (isSameWhenNormalized(row.name, name)) return row;
      return undefined;
    },
    newestInTopic: (id, topic) => topics.byChannel.get(id)?.get(foldTopic(topic))?.max_id,
    customEmoji(name) {
      const all = Object.values(organization.emoji);
      return all.find((emoji) => emoji.name === name && !emoji.deactivated);
    },
    upload: () => undefined,
  };
}

function userInContext(person: Person | undefined, active: ReadonlyMap<number, Person>) {
  if (!person) return undefined;
  const { user_id, full_name } = person;
  return { user_id, full_name, is_active: active.has(user_id) || person.is_system_bot === true };
}

function groupInContext({ id, name, deactivated }: Group) {
  return { id, name, display_name: name.replace(/^role:/, ""), deactivated };
}
