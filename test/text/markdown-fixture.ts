// Data for tests of the renderer: users, channels, groups, emoji and uploads.
import type { RenderContext, UploadInfo } from "../../src/text/markdown/context.ts";

const PEOPLE = [
  { user_id: 31, full_name: "Mia Ruiz", is_active: true },
  { user_id: 32, full_name: "Otto <b>", is_active: true },
  { user_id: 33, full_name: "Gone Girl", is_active: false },
  { user_id: 34, full_name: "all", is_active: true },
];

const GROUPS = [
  { id: 17, name: "support", display_name: "support", deactivated: false },
  { id: 18, name: "old crew", display_name: "old crew", deactivated: true },
  { id: 3, name: "role:moderators", display_name: "Moderators", deactivated: false },
];

const CHANNELS = [
  { stream_id: 9, name: "design" },
  { stream_id: 10, name: "R&D / ops v1.2" },
];

const png = { content_type: "image/png" };
const size = { width: 1200, height: 800 };
const ready = { ...size, animated: false, ready: true, transcoded: false };

const UPLOADS: Readonly<Record<string, UploadInfo>> = {
  "2/4c/tok/cat.png": { ...png, image: ready },
  "2/4c/tok/dance.gif": { content_type: "image/gif", image: { ...ready, animated: true } },
  "2/4c/tok/scan.tiff": { content_type: "image/tiff", image: { ...ready, transcoded: true } },
  "2/4c/tok/slow.png": { ...png, image: { ...ready, ready: false } },
  "2/4c/tok/broken.png": png,
  "2/7a/tok/song.mp3": { content_type: "audio/mpeg" },
  "2/7a/tok/song.wav": { content_type: "audio/x-wav" },
  "2/9b/tok/clip.mp4": { content_type: "video/mp4" },
  "2/ab/f.pdf": { content_type: "application/pdf" },
};

export function renderContext(changes: Partial<RenderContext> = {}): RenderContext {
  const isSameIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
  return {
    realm_url: "https://chat.example.com",
    default_code_block_language: "",
    translate_emoticons: true,
    inline_image_preview: true,
    linkifiers: [],
    userById: (user_id) => PEOPLE.find((user) => user.user_id === user_id),
    usersByName: (name) => PEOPLE.filter((user) => isSameIgnoringCase(user.full_name, name)),
    groupByName: (name) => GROUPS.find((group) => group.name === name),
    channelByName: (name) => CHANNELS.find((channel) => channel.name === name),
    newestInTopic: (_, topic) => (topic === "quiet" ? undefined : 214),
    customEmoji: (name) =>
      name === "big_parrot"
        ? { id: "5", name, source_url: "/user_avatars/2/emoji/images/5.gif" }
        : undefined,
    upload: (path_id) => UPLOADS[path_id],
    ...changes,
  };
}
