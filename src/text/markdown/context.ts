// Objects that a message can refer to, as its author may see them.
import type { LinkedPage } from "../linked-page.ts";

/** Data for the renderer, as the author may see it. */
export interface RenderContext {
  /** URL of the organization, without a trailing slash. */
  realm_url: string;
  /** "" for none. */
  default_code_block_language: string;
  translate_emoticons: boolean;
  inline_image_preview: boolean;
  linkifiers: readonly Linkifier[];
  /** Undefined: unknown, or hidden from the author. */
  userById(user_id: number): MentionedUser | undefined;
  /** Ignores the case of the name. */
  usersByName(name: string): readonly MentionedUser[];
  groupByName(name: string): MentionedGroup | undefined;
  /** Finds a channel by its exact name, if the author can read its messages. */
  channelByName(name: string): { stream_id: number; name: string } | undefined;
  /** The newest message that the author may read. */
  newestInTopic(stream_id: number, topic: string): number | undefined;
  /** Finds an emoji of the organization that is active. */
  customEmoji(name: string): { id: string; name: string; source_url: string } | undefined;
  upload(path_id: string): UploadInfo | undefined;
  /** The metadata of a linked page, if known. Without it, there is no preview. */
  page?: (url: string) => LinkedPage | undefined;
  /** Limits who is notified; without it, all mentions notify. */
  notifies?: Notifies;
}

/** Users and groups that the mentions of a message may notify. */
export interface Notifies {
  user(user_id: number): boolean;
  group(group_id: number): boolean;
  stream_wildcard: boolean;
  topic_wildcard: boolean;
}

/** The context of texts without an author: no mentions and no channel links. */
export const EMPTY_CONTEXT: Omit<RenderContext, "realm_url"> = {
  default_code_block_language: "",
  translate_emoticons: false,
  inline_image_preview: false,
  linkifiers: [],
  userById: () => undefined,
  usersByName: () => [],
  groupByName: () => undefined,
  channelByName: () => undefined,
  newestInTopic: () => undefined,
  customEmoji: () => undefined,
  upload: () => undefined,
};

export interface MentionedUser {
  user_id: number;
  full_name: string;
  is_active: boolean;
}

interface MentionedGroup {
  id: number;
  name: string;
  display_name: string;
  deactivated: boolean;
}

export interface Linkifier {
  pattern: string;
  url_template: string;
}

export interface UploadInfo {
  content_type: string;
  /** Present for a valid image. */
  image?: UploadedImage;
}

interface UploadedImage {
  width: number;
  height: number;
  animated: boolean;
  /** Whether its thumbnails exist. */
  ready: boolean;
  /** Browsers cannot show the original. */
  transcoded: boolean;
}
