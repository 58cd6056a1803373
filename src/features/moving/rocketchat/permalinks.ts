// Recognizes links of Rocket.Chat to messages, rooms and discussions.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import { type LinkTarget, pathOn } from "../source/links.ts";
import type { RocketDirectory } from "./users-and-rooms.ts";

const ROOM = /^\/(?:channel|group|direct|livechat)\/([^/]{1,300})(?:\/|$)/;
const ID_LENGTH_MAX = 100;

/** `server`: the URL of the server. Without it, only ids of messages can be recognized. */
export function linkTargetOf(
  url: URL,
  sources: RocketDirectory,
  server: string | undefined,
): LinkTarget | undefined {
  const path = server === undefined ? url.pathname : pathOn(server, url);
  const [, room] = ROOM.exec(path ?? "") ?? [];
  const message = url.searchParams.get("msg")?.slice(0, ID_LENGTH_MAX);
  if (room === undefined || (server === undefined && !message)) return undefined;
  const name = decodeUrlPart(room);
  const id = sources.roomId(name) ?? name;
  const { conversation, discussion } = sources.destinationOf(id) ?? {};
  // If the URL of this server is unknown, a room that the archive lacks may be one of another
  // server.
  if (server === undefined && !conversation) return undefined;
  const target = { conversation: conversation?.id ?? id };
  if (message) return { ...target, message };
  return { ...target, ...(discussion && { thread: `discussion ${discussion.id}` }) };
}
