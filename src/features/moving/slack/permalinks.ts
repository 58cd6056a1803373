// Recognizes links of Slack to messages and channels.
import type { LinkTarget } from "../source/links.ts";
import type { Conversation } from "../source/workspace.ts";

const HOST = /(?:^|\.)slack\.com$/;
/** Links from before 2017 have the name of the channel instead of its id. */
const ARCHIVE = /^\/(?:archives|messages)\/([\w.-]{1,100})(?:\/p(\d{9,10})(\d{6}))?\/?$/;
const CLIENT = /^\/client\/([A-Z0-9]{2,30})\/([A-Z0-9]{2,30})\/?$/;

/**
 * An export does not contain the host name of its workspace. The id of a channel identifies it, and
 * so does the time of a message, which is exact to the microsecond. `team`: the workspace's id.
 */
export function linkReader(conversations: readonly Conversation[], team: string) {
  const ids = new Set(conversations.map(({ id }) => id));
  const idsByName = new Map(conversations.map(({ name = "", id }) => [name, id]));
  return ({ hostname, pathname }: URL): LinkTarget | undefined => {
    if (!HOST.test(hostname)) return undefined;
    const [, client, channel = ""] = CLIENT.exec(pathname) ?? [];
    if (client !== undefined) return client === team ? { conversation: channel } : undefined;
    const [, place, seconds, rest] = ARCHIVE.exec(pathname) ?? [];
    if (place === undefined) return undefined;
    // Other workspaces may have a channel of the same name.
    if (seconds === undefined) return ids.has(place) ? { conversation: place } : undefined;
    const conversation = ids.has(place) ? place : (idsByName.get(place) ?? place);
    return { conversation, message: `${seconds}.${rest}` };
  };
}
