// Recognizes links of Discord to messages, channels and threads.
import type { LinkTarget } from "../source/links.ts";
import type { DiscordDirectory } from "./users-and-channels.ts";

const HOST = /^(?:(?:www|ptb|canary)\.)?discord(?:app)?\.com$/;
/** The server, or `@me` for direct messages, then the channel or thread, then the message. */
const PATH = /^\/channels\/(@me|\w{1,100})\/(\w{1,100})(?:\/(\w{1,100}))?\/?$/;
const DIRECT = "@me";

export function linkTargetOf(
  { hostname, pathname }: URL,
  sources: DiscordDirectory,
): LinkTarget | undefined {
  if (!HOST.test(hostname)) return undefined;
  const [, guild = "", channel = "", message] = PATH.exec(pathname) ?? [];
  if (channel === "" || (guild !== DIRECT && !sources.guilds.has(guild))) return undefined;
  const destination = sources.destinationOf(channel);
  // A parent channel may be known only from its threads.
  const conversation = destination?.conversation.id ?? channel;
  if (message !== undefined) return { conversation, message };
  const thread = destination?.thread;
  return { conversation, ...(thread && { thread: `thread ${thread.id}` }) };
}
