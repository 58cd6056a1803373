// Renders channel descriptions: Markdown of one line, without previews.
import { messageUnrenderable } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { isSameWhenNormalized } from "../../../text/input/normalize-name.ts";
import type { RenderContext } from "../../../text/markdown/context.ts";
import { render, RenderTooLarge } from "../../../text/markdown/render.ts";
import { canReadChannel } from "../../channels/access.ts";
import { foldedName } from "../../channels/rules.ts";
import { shownEmoji } from "../../emoji/wire.ts";
import { linkifiersInOrder } from "../../linkifiers/wire.ts";
import { groupByName } from "../../rights/access.ts";

/**
 * References are resolved with the author's access. `author` is null for the operator, who has full
 * access.
 */
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

/** Descriptions contain only text: no uploads, no references to messages. */
function contextOf(reader: Reader, author: User | null): RenderContext {
  const { users, channels } = reader;
  return {
    realm_url: reader.config.url,
    default_code_block_language: reader.settings.default_code_block_language,
    translate_emoticons: false,
    inline_image_preview: false,
    linkifiers: linkifiersInOrder(reader),
    userById: (id) => users.get(id),
    usersByName: (name) => users.listBy("name", name.toLowerCase()),
    groupByName: (name) => {
      const group = groupByName(reader, name);
      return group && { ...group, display_name: group.name };
    },
    channelByName: (name) => {
      const channel = channels.findBy("name", foldedName(name));
      if (channel === undefined || !isSameWhenNormalized(channel.name, name)) return undefined;
      return !author || canReadChannel(reader, author, channel) ? channel : undefined;
    },
    newestInTopic: () => undefined,
    customEmoji: (name) => shownEmoji(reader, name),
    upload: () => undefined,
  };
}
