// The fields of a DiscordChatExporter file that an import reads; every one may be absent.
import type { Shape } from "../json-fields.ts";

export interface DiscordChannel {
  id?: string;
  /** Older versions write a number. */
  type?: unknown;
  /** The channel of a thread, or the category of a channel. */
  categoryId?: string;
  category?: string;
  name?: string;
  topic?: string;
}

export const CHANNEL: Shape = {
  id: "text",
  type: "any",
  categoryId: "text",
  category: "text",
  name: "text",
  topic: "text",
};

export const GUILD: Shape = { id: "text", name: "text" };

export interface DiscordUser {
  id?: string;
  name?: string;
  nickname?: string;
  isBot?: boolean;
  roles?: { id?: string; name?: string }[];
  avatarUrl?: string;
}

const USER: Shape = {
  id: "text",
  name: "text",
  nickname: "text",
  isBot: "bool",
  roles: [{ id: "text", name: "text" }],
  avatarUrl: "text",
};

export interface DiscordEmoji {
  id?: string;
  name?: string;
  /** The short name. */
  code?: string;
  imageUrl?: string;
}

const EMOJI: Shape = { id: "text", name: "text", code: "text", imageUrl: "text" };

interface DiscordAttachment {
  url?: string;
  fileName?: string;
  fileSizeBytes?: number;
}

const ATTACHMENT: Shape = { url: "text", fileName: "text", fileSizeBytes: "number" };

export interface DiscordEmbed {
  title?: string;
  url?: string;
  description?: string;
  author?: { name?: string };
  footer?: { text?: string };
  thumbnail?: { url?: string; canonicalUrl?: string };
  image?: { url?: string; canonicalUrl?: string };
  images?: { url?: string; canonicalUrl?: string }[];
  video?: { url?: string; canonicalUrl?: string };
  fields?: { name?: string; value?: string }[];
  inlineEmojis?: DiscordEmoji[];
}

const PICTURE: Shape = { url: "text", canonicalUrl: "text" };

const EMBED: Shape = {
  title: "text",
  url: "text",
  description: "text",
  author: { name: "text" },
  footer: { text: "text" },
  thumbnail: PICTURE,
  image: PICTURE,
  images: [PICTURE],
  video: PICTURE,
  fields: [{ name: "text", value: "text" }],
  inlineEmojis: [EMOJI],
};

export interface DiscordSticker {
  name?: string;
  format?: string;
  sourceUrl?: string;
}

const STICKER: Shape = { name: "text", format: "text", sourceUrl: "text" };

/** A row of buttons, or a button. */
export interface DiscordComponent {
  type?: string;
  label?: string;
  url?: string;
  components?: DiscordComponent[];
}

const COMPONENT: Shape = {
  type: "text",
  label: "text",
  url: "text",
  components: [() => COMPONENT],
};

/** The fields that messages and forwarded messages have in common. */
export interface DiscordContent {
  content?: string;
  attachments?: DiscordAttachment[];
  embeds?: DiscordEmbed[];
  components?: DiscordComponent[];
  stickers?: DiscordSticker[];
}

const CONTENT = {
  content: "text",
  attachments: [ATTACHMENT],
  embeds: [EMBED],
  components: [COMPONENT],
  stickers: [STICKER],
} as const satisfies Shape;

export interface DiscordMessage extends DiscordContent {
  id?: string;
  /** Kinds without a name are numbers. */
  type?: unknown;
  timestamp?: string;
  timestampEdited?: string;
  isPinned?: boolean;
  author?: DiscordUser;
  reactions?: { emoji?: DiscordEmoji; count?: number; users?: DiscordUser[] }[];
  mentions?: DiscordUser[];
  inlineEmojis?: DiscordEmoji[];
  reference?: { type?: string; messageId?: string; channelId?: string };
  forwardedMessage?: DiscordContent;
}

export const MESSAGE: Shape = {
  ...CONTENT,
  id: "text",
  type: "any",
  timestamp: "text",
  timestampEdited: "text",
  isPinned: "bool",
  author: USER,
  reactions: [{ emoji: EMOJI, count: "number", users: [USER] }],
  mentions: [USER],
  inlineEmojis: [EMOJI],
  reference: { type: "text", messageId: "text", channelId: "text" },
  forwardedMessage: CONTENT,
};
