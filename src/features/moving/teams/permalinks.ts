// Recognizes links of Teams to messages and channels.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import type { LinkTarget } from "../source/links.ts";

const HOST = /^teams\.(?:microsoft\.com|live\.com|cloud\.microsoft)$/;
const PATH = /^\/l\/(message|channel|chat)\/([^/]{1,500})(?:\/([^/]{1,500}))?/;
/** A message is identified by its time in milliseconds. */
const MESSAGE = /^\d{1,20}$/;

/** Ids of conversations are globally unique. `tenant`: the organization, if it is known. */
export function linkTargetOf(url: URL, tenant: string | undefined): LinkTarget | undefined {
  if (!HOST.test(url.hostname)) return undefined;
  const [, kind, place = "", rest = ""] = PATH.exec(url.pathname) ?? [];
  const of = url.searchParams.get("tenantId");
  if (kind === undefined || (of && tenant !== undefined && of !== tenant)) return undefined;
  const conversation = decodeUrlPart(place);
  if (!/^(?:19|48):/.test(conversation)) return undefined;
  if (kind !== "message") return { conversation };
  return MESSAGE.test(rest) ? { conversation, message: rest } : undefined;
}
