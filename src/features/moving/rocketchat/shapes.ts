// The fields of Rocket.Chat's documents that an import reads; every one may be absent.
import type { Shape } from "../json-fields.ts";

export interface RocketUser {
  _id?: string;
  username?: string;
  name?: string;
  emails?: { address?: string }[];
  roles?: string[];
  type?: string;
  active?: boolean;
  createdAt?: number;
  bio?: string;
  statusText?: string;
  services?: { password?: { bcrypt?: string } };
  __rooms?: string[];
}

export const USER: Shape = {
  _id: "text",
  username: "text",
  name: "text",
  emails: [{ address: "text" }],
  roles: ["text"],
  type: "text",
  active: "bool",
  createdAt: "number",
  bio: "text",
  statusText: "text",
  services: { password: { bcrypt: "text" } },
  __rooms: ["text"],
};

export interface RocketRoom {
  _id?: string;
  t?: string;
  name?: string;
  fname?: string;
  description?: string;
  topic?: string;
  announcement?: string;
  ro?: boolean;
  archived?: boolean;
  open?: boolean;
  default?: boolean;
  prid?: string;
  teamId?: string;
  teamMain?: boolean;
  joinCodeRequired?: boolean;
  uids?: string[];
  /** Older versions have no ids of users. */
  usernames?: string[];
  ts?: number;
  servedBy?: { _id?: string };
}

export const ROOM_SHAPE: Shape = {
  _id: "text",
  t: "text",
  name: "text",
  fname: "text",
  description: "text",
  topic: "text",
  announcement: "text",
  ro: "bool",
  archived: "bool",
  open: "bool",
  default: "bool",
  prid: "text",
  teamId: "text",
  teamMain: "bool",
  joinCodeRequired: "bool",
  uids: ["text"],
  usernames: ["text"],
  ts: "number",
  servedBy: { _id: "text" },
};

export interface RocketSubscription {
  rid?: string;
  u?: { _id?: string };
  f?: boolean;
  disableNotifications?: boolean;
  unread?: number;
  roles?: string[];
}

export const SUBSCRIPTION: Shape = {
  rid: "text",
  u: { _id: "text" },
  f: "bool",
  disableNotifications: "bool",
  unread: "number",
  roles: ["text"],
};

export interface RocketTeam {
  _id?: string;
  name?: string;
  /** 0: public, 1: private. */
  type?: number;
}

export const TEAM: Shape = { _id: "text", name: "text", type: "number" };

export interface RocketTeamMember {
  teamId?: string;
  userId?: string;
}

export const TEAM_MEMBER: Shape = { teamId: "text", userId: "text" };

export interface RocketCard {
  type?: string;
  title?: string;
  title_link?: string;
  text?: string;
  description?: string;
  author_name?: string;
  message_link?: string;
  image_url?: string;
  pretext?: string;
  fields?: { title?: string; value?: unknown }[];
  attachments?: RocketCard[];
}

const CARD_FIELDS = {
  type: "text",
  title: "text",
  title_link: "text",
  text: "text",
  description: "text",
  author_name: "text",
  message_link: "text",
  image_url: "text",
  pretext: "text",
  fields: [{ title: "text", value: "any" }],
} as const satisfies Shape;

export interface RocketFile {
  _id?: string;
  name?: string;
  type?: string;
  size?: number;
  typeGroup?: string;
}

const FILE: Shape = { _id: "text", name: "text", type: "text", size: "number", typeGroup: "text" };

export interface RocketMessage {
  _id?: string;
  rid?: string;
  msg?: string;
  ts?: number;
  t?: string;
  _hidden?: boolean;
  alias?: string;
  u?: { _id?: string; username?: string; name?: string };
  tmid?: string;
  tcount?: number;
  replies?: string[];
  mentions?: { _id?: string; username?: string }[];
  channels?: { _id?: string; name?: string }[];
  reactions?: unknown;
  file?: RocketFile;
  files?: RocketFile[];
  attachments?: RocketCard[];
  editedAt?: number;
  pinned?: boolean;
  starred?: { _id?: string }[];
  /** Longitude and latitude. */
  location?: { coordinates?: number[] };
}

export const MESSAGE: Shape = {
  _id: "text",
  rid: "text",
  msg: "text",
  ts: "number",
  t: "text",
  _hidden: "bool",
  alias: "text",
  u: { _id: "text", username: "text", name: "text" },
  tmid: "text",
  tcount: "number",
  replies: ["text"],
  mentions: [{ _id: "text", username: "text" }],
  channels: [{ _id: "text", name: "text" }],
  reactions: "any",
  file: FILE,
  files: [FILE],
  attachments: [{ ...CARD_FIELDS, attachments: [CARD_FIELDS] }],
  editedAt: "number",
  pinned: "bool",
  starred: [{ _id: "text" }],
  location: { coordinates: ["number"] },
};
