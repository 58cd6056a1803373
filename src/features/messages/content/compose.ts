// Prepares the content of a new message: trims it, and renders it with its author's access.
import { messageEmpty, messageWithNull } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import type { Group, User } from "../../../schema/records.ts";
import { isSameWhenNormalized } from "../../../text/input/normalize-name.ts";
import type { MentionedUser, Notifies, RenderContext } from "../../../text/markdown/context.ts";
import { render, type Rendered, RenderTooLarge } from "../../../text/markdown/render.ts";
import { canReadChannel } from "../../channels/access.ts";
import { foldedName } from "../../channels/rules.ts";
import { shownEmoji } from "../../emoji/wire.ts";
import { uploadInfo } from "../../files/access.ts";
import { linkifiersInOrder } from "../../linkifiers/wire.ts";
import { canSeeUser } from "../../people/access.ts";
import { cachedPage, hasPreviews } from "../../previews/pages.ts";
import { groupByName } from "../../rights/access.ts";
import type { SystemGroup } from "../../rights/permission-rules.ts";
import { canReadMessage } from "../access.ts";
import { MESSAGE_LENGTH_MAX } from "../rules.ts";
import { topicOf } from "../topic.ts";

export interface ComposedMessage {
  content: string;
  /** undefined if the content cannot be rendered; the send then rejects it. */
  rendered: Rendered | undefined;
}

const TRUNCATED = "\n[message truncated]";

/**
 * Renders the content without writing anything, so that it can run before the transaction that
 * sends. `notifies`: undefined means that everyone is notified.
 */
export function compose(
  reader: Reader,
  author: User,
  value: string,
  notifies?: Notifies,
): ComposedMessage {
  const content = contentOf(value);
  return { content, rendered: renderedBy(reader, author, content, notifies) };
}

/** Cuts content that is too long. Empty content is an error. */
export function contentOf(value: string): string {
  const trimmed = value.trimEnd();
  const content = trimmed.startsWith("\n") ? trimmed.replace(/^\n+/, "") : trimmed;
  if (content === "") throw messageEmpty();
  if (content.includes("\0")) throw messageWithNull();
  if (content.length <= MESSAGE_LENGTH_MAX) return content;
  const characters = [...content];
  if (characters.length <= MESSAGE_LENGTH_MAX) return content;
  return characters.slice(0, MESSAGE_LENGTH_MAX - TRUNCATED.length).join("") + TRUNCATED;
}

export function renderedBy(
  reader: Reader,
  author: User,
  content: string,
  notifies?: Notifies,
): Rendered | undefined {
  try {
    const context = contextOf(reader, author);
    return render(content, notifies ? { ...context, notifies } : context);
  } catch (error) {
    if (error instanceof RenderTooLarge) return undefined;
    throw error;
  }
}

/** The data of the organization that rendering needs, as the author may see it. */
function contextOf(reader: Reader, author: User): RenderContext {
  const { settings } = reader;
  const mentionedUser = (user: User | undefined): MentionedUser | undefined =>
    user && canSeeUser(reader, author, user) ? user : undefined;
  return {
    realm_url: reader.config.url,
    default_code_block_language: settings.default_code_block_language,
    translate_emoticons: author.settings["translate_emoticons"] === true,
    inline_image_preview: settings.inline_image_preview,
    linkifiers: linkifiersInOrder(reader),
    userById: (user_id) => mentionedUser(reader.users.get(user_id)),
    usersByName: (name) =>
      reader.users.listBy("name", name.toLowerCase()).flatMap((user) => mentionedUser(user) ?? []),
    groupByName: (name) => groupNamed(reader, name),
    channelByName(name) {
      const channel = reader.channels.findBy("name", foldedName(name));
      if (channel === undefined || !isSameWhenNormalized(channel.name, name)) return undefined;
      return canReadChannel(reader, author, channel) ? channel : undefined;
    },
    newestInTopic(stream_id, name) {
      const topic = topicOf(reader, stream_id, name);
      const message = topic && reader.messages.get(topic.last_id);
      return message && canReadMessage(reader, author, message) ? message.id : undefined;
    },
    customEmoji: (name) => shownEmoji(reader, name),
    upload: (path_id) => uploadInfo(reader, author, path_id),
    ...(hasPreviews(reader, author) && { page: (url) => cachedPage(reader, url) }),
  };
}

function groupNamed(reader: Reader, name: string) {
  const group = groupByName(reader, name);
  return group && { ...group, display_name: displayName(group) };
}

const SYSTEM_GROUP_NAMES: Readonly<Record<SystemGroup, string>> = {
  "role:nobody": "Nobody",
  "role:owners": "Owners",
  "role:administrators": "Administrators",
  "role:moderators": "Moderators",
  "role:fullmembers": "Full members",
  "role:members": "Members",
  "role:everyone": "Everyone",
  "role:internet": "Everyone on the internet",
};

function displayName({ is_system_group, name }: Group): string {
  return is_system_group ? SYSTEM_GROUP_NAMES[name as SystemGroup] : name;
}
