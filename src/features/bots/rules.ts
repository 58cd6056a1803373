// The types of bots, and limits of their settings and storage.

/** Maximum of bots per owner, including deactivated ones. */
export const BOTS_PER_OWNER_MAX = 500;
/** Name of a bot's key in lists of keys. */
export const BOT_KEY_CLIENT = "bot";

/** 1: Zulip's format of outgoing webhooks, 2: Slack's. */
export const INTERFACES: readonly number[] = [1, 2];

const PAYLOAD_URL_LENGTH_MAX = 2048;
/** Minimum time between two warnings to the owner of a bot. */
export const WARNING_PAUSE_SECONDS = 300;
/** Maximum of a bot's stored names and values together, in code points. */
export const BOT_STORAGE_SIZE_MAX = 10_000_000;
/** Maximum of stored values in one response. */
export const BOT_STORAGE_NAMES_MAX = 10_000;

export function isPayloadUrl(text: string): boolean {
  if (text.length > PAYLOAD_URL_LENGTH_MAX || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** Counts code points. */
export function sizeOf(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF]/g)?.length ?? 0);
}
