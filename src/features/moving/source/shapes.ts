// The shapes of the records in an archive; records-rules.ts has their types.
import type { Shape } from "../json-fields.ts";

export const USER: Shape = {
  id: "text",
  team_id: "text",
  name: "text",
  real_name: "text",
  deleted: "bool",
  is_bot: "bool",
  is_admin: "bool",
  is_owner: "bool",
  is_restricted: "bool",
  is_ultra_restricted: "bool",
  profile: { real_name: "text", display_name: "text", email: "text", bot_id: "text" },
};

export const CHANNEL: Shape = {
  id: "text",
  name: "text",
  created: "any",
  is_archived: "bool",
  members: ["text"],
  purpose: { value: "text" },
  topic: { value: "text" },
  pins: [{ id: "text", type: "text" }],
};

const FILE: Shape = {
  id: "text",
  name: "text",
  title: "text",
  mimetype: "text",
  size: "number",
  mode: "text",
  is_external: "bool",
  filetype: "text",
  url_private: "text",
  url_private_download: "text",
};

const ELEMENT: { readonly [field: string]: Shape } = {
  type: "text",
  text: "any",
  title: "any",
  url: "text",
  image_url: "text",
  alt_text: "text",
  name: "text",
  user_id: "text",
  usergroup_id: "text",
  channel_id: "text",
  timestamp: "number",
  fallback: "text",
  unicode: "text",
  value: "text",
  style: "any",
  indent: "number",
  offset: "number",
  border: "number",
  elements: [() => ELEMENT],
};

const BLOCK: Shape = {
  ...ELEMENT,
  description: "any",
  fields: [{ text: "text" }],
  rows: [[() => BLOCK]],
  accessory: ELEMENT,
  title_url: "text",
  video_url: "text",
};

const CARD: Shape = {
  fallback: "text",
  pretext: "text",
  title: "text",
  title_link: "text",
  text: "text",
  from_url: "text",
  author_name: "text",
  image_url: "text",
  fields: [{ title: "text", value: "text" }],
  blocks: [BLOCK],
  files: [FILE],
};

export const MESSAGE: Shape = {
  type: "text",
  subtype: "text",
  ts: "text",
  user: "text",
  bot_id: "text",
  username: "text",
  text: "text",
  blocks: [BLOCK],
  attachments: [CARD],
  files: [FILE],
  file: FILE,
  comment: { user: "text" },
  bot_profile: { name: "text" },
  user_profile: { name: "text", real_name: "text", display_name: "text" },
  edited: { ts: "text" },
  reactions: [{ name: "text", users: ["text"], count: "number" }],
  thread_ts: "text",
  reply_count: "number",
  replies: [{ ts: "text" }],
  root: { text: "text" },
};
