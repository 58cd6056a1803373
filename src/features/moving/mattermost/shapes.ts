// The fields of a Mattermost bulk export that an import reads.
import type { Shape } from "../json-fields.ts";
import type { Card } from "../source/cards.ts";
import { isMessageTime } from "../source/time-order.ts";

export interface MattermostPost {
  team?: string;
  channel?: string;
  channel_members?: string[];
  user?: string;
  type?: string;
  message?: string;
  create_at?: number;
  edit_at?: number;
  reactions?: { user?: string; emoji_name?: string }[];
  replies?: MattermostPost[];
  attachments?: { path?: string }[];
  flagged_by?: string[];
  is_pinned?: boolean;
  thread_followers?: { user?: string }[];
  props?: { attachments?: Card[]; from_webhook?: string; override_username?: string };
}

export function isComplete(
  post: MattermostPost,
): post is MattermostPost & { user: string; create_at: number } {
  const { user, create_at } = post;
  return user !== undefined && create_at !== undefined && isMessageTime(create_at);
}

const CARD = {
  pretext: "text",
  author_name: "text",
  title: "text",
  title_link: "text",
  text: "text",
  fields: [{ title: "text", value: "any" }],
  image_url: "text",
  footer: "text",
  fallback: "text",
} as const satisfies Shape;

const POST_FIELDS = {
  team: "text",
  channel: "text",
  channel_members: ["text"],
  user: "text",
  type: "text",
  message: "text",
  create_at: "number",
  edit_at: "number",
  reactions: [{ user: "text", emoji_name: "text" }],
  attachments: [{ path: "text" }],
  flagged_by: ["text"],
  is_pinned: "bool",
  thread_followers: [{ user: "text" }],
  props: { attachments: [CARD], from_webhook: "text", override_username: "text" },
} as const satisfies Shape;

export const POST: Shape = { ...POST_FIELDS, replies: [POST_FIELDS] };

export interface MattermostUser {
  username?: string;
  email?: string;
  nickname?: string;
  first_name?: string;
  last_name?: string;
  roles?: string;
  create_at?: number;
  delete_at?: number;
  position?: string;
  profile_image?: string;
  custom_status?: unknown;
  notify_props?: unknown;
  teams?: { name?: string; roles?: string; channels?: MattermostMembership[] }[];
}

interface MattermostMembership {
  name?: string;
  roles?: string;
  favorite?: boolean;
  notify_props?: { mark_unread?: string };
  /** Milliseconds. */
  last_viewed_at?: number;
}

export const USER: Shape = {
  username: "text",
  email: "text",
  nickname: "text",
  first_name: "text",
  last_name: "text",
  roles: "text",
  create_at: "number",
  delete_at: "number",
  position: "text",
  profile_image: "text",
  custom_status: "any",
  notify_props: "any",
  teams: [
    {
      ...{ name: "text", roles: "text" },
      channels: [
        {
          ...{ name: "text", roles: "text", favorite: "bool", last_viewed_at: "number" },
          notify_props: { mark_unread: "text" },
        },
      ],
    },
  ],
};

export interface MattermostChannel {
  team?: string;
  name?: string;
  display_name?: string;
  type?: string;
  header?: string;
  purpose?: string;
  deleted_at?: number;
}

export const CHANNEL: Shape = {
  team: "text",
  name: "text",
  display_name: "text",
  type: "text",
  header: "text",
  purpose: "text",
  deleted_at: "number",
};

export interface MattermostNamed {
  name?: string;
  display_name?: string;
  username?: string;
  image?: string;
  profile_image?: string;
  delete_at?: number;
  /** The type of a team: O if anybody can join, I if users need an invitation. */
  type?: string;
  allow_open_invite?: boolean;
}

export const NAMED_SHAPE: Shape = {
  name: "text",
  display_name: "text",
  username: "text",
  image: "text",
  profile_image: "text",
  delete_at: "number",
  type: "text",
  allow_open_invite: "bool",
};
