// Video calls: creates links to new rooms on the organization's Jitsi server.
import { maybeState } from "../../store/store.ts";
import { t } from "../../words/words.ts";

const JITSI = 1;
/**
 * The number of letters, of five bits each, in the name of a room. Such names cannot be guessed.
 */
const ROOM_LENGTH = 20;
const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

export type CallKind = "video" | "voice";

/** URL of the call server. Undefined if the organization has no calls. */
function jitsiUrl(): string | undefined {
  const fields = maybeState()?.organization.fields;
  if (fields?.["realm_video_chat_provider"] !== JITSI) return undefined;
  const url = fields["realm_jitsi_server_url"] ?? fields["server_jitsi_server_url"];
  return typeof url === "string" ? url.replace(/\/$/, "") : undefined;
}

export const hasCalls = (): boolean => jitsiUrl() !== undefined;

/** Markdown with a link to a new room. */
export function callLink(kind: CallKind): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ROOM_LENGTH));
  const room = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
  const url = `${jitsiUrl()}/${room}#config.startWithVideoMuted=${kind === "voice"}`;
  return `[${t(`join-${kind}-call`)}](${url})`;
}
