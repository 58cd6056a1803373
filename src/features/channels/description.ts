// Renders the description of a channel: Markdown of one line, without previews.
import { messageUnrenderable } from "../../errors-messages.ts";
import type { Reader } from "../../realm.ts";
import type { User } from "../../records.ts";
import { render, type RenderContext, RenderTooLarge } from "../../text/markdown/render.ts";
import { shownEmoji } from "../emoji/wire.ts";
import { linkifiersInOrder } from "../linkifiers/wire.ts";
import { canReadChannel } from "./access.ts";
import { foldedName } from "./rules.ts";

/** As its author sees what it names; `author` null: the operator, to whom all is open. */
export function renderedDescription(
  reader: Reader,
  author: User | null,
  description: string,
): string {
  if (description === "") return "";
  try {
    return render(description, contextOf(reader, author)).html;
  } catch (error) {
    throw error instanceof RenderTooLarge ? messageUnrenderable() : error;
  }
}

/** A description holds nothing but text: neither uploads nor places in a history. */
function contextOf(reader: Reader, author: User | null): RenderContext {
  const { users, groups, channels } = reader;
  return {
    realm_url: reader.config.url,
    default_code_block_language: reader.settings.default_code_block_language,
    translate_emoticons: false,
    inline_image_preview: false,
    linkifiers: linkifiersInOrder(reader),
    userById: (id) => users.get(id),
    usersByName: (name) => users.by("name", name.toLowerCase()),
    groupByName: (name) => {
      const group = groups.one("name", name);
      return group && { ...group, display_name: group.name };
    },
    channelByName: (name) => {
      const channel = channels.one("name", foldedName(name));
      if (channel?.name !== name) return undefined;
      return !author || canReadChannel(reader, author, channel) ? channel : undefined;
    },
    newestInTopic: () => undefined,
    customEmoji: (name) => shownEmoji(reader, name),
    upload: () => undefined,
  };
}
