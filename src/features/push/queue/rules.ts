// The limits of pushes, and validation of push endpoints.
import { DAY_SECONDS } from "../../../contract/units.ts";
import { parseUrl } from "../../../text/input/parse-url.ts";

/** Beyond this, the oldest subscription is removed. */
export const PUSH_SUBSCRIPTIONS_PER_USER_MAX = 30;
export const PUSH_NAME_LENGTH_MAX = 100;
const PUSH_ADDRESS_LENGTH_MAX = 2_000;
export const NTFY_TOKEN_LENGTH_MAX = 200;

/** Per subscription. Beyond it, the oldest push is dropped. */
export const PUSHES_WAITING_MAX = 100;
/** Per subscription, the newest notifications that can still be removed. */
export const PUSHED_KEPT_MAX = 50;
/** Limit for all subscriptions together. */
export const PUSHES_AT_ONCE = 10;
/** After this many failed attempts, all waiting pushes of the subscription are dropped. */
export const PUSH_PAUSES_MS: readonly number[] = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000,
];
/** Maximum delay between attempts, even if a push service asks for a longer one. */
export const ASKED_PAUSE_MS_MAX = 3_600_000;
/** Push services discard pushes that were not delivered within this time. */
export const PUSH_TTL_SECONDS = DAY_SECONDS;

/** Push services carry at most 4,096 bytes of an encrypted payload. */
export const PUSH_BODY_BYTES_MAX = 800;
export const PUSH_TITLE_BYTES_MAX = 300;

const POINT_BYTES = 65;
const POINT_KIND = 0x04;
const AUTH_BYTES = 16;
/** Longer than the encoding of any key. */
const BASE64_LENGTH_MAX = 100;

/** A URL without credentials. Whether the server may contact it is checked before each request. */
export function isPushAddress(text: string): boolean {
  const url = text.length > PUSH_ADDRESS_LENGTH_MAX ? undefined : parseUrl(text);
  return !!url && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** An uncompressed P-256 point in base64url, as browsers send it. */
export function isPushPoint(text: string): boolean {
  const bytes = bytesOf(text);
  return bytes?.length === POINT_BYTES && bytes[0] === POINT_KIND;
}

export function isPushAuth(text: string): boolean {
  return bytesOf(text)?.length === AUTH_BYTES;
}

interface NtfyTopic {
  /** URL of the ntfy server to which JSON is sent. */
  server: string;
  topic: string;
}

/** undefined if it is not the URL of an ntfy topic. */
export function ntfyTopicOf(text: string): NtfyTopic | undefined {
  if (!isPushAddress(text)) return undefined;
  const { origin, pathname, search } = new URL(text);
  const topic = pathname.slice(1);
  return /^[-_A-Za-z0-9]{1,64}$/.test(topic) && search === ""
    ? { server: `${origin}/`, topic }
    : undefined;
}

/** The beginning of a text, truncated at a character boundary. */
export function cutToBytes(text: string, bytes_max: number): string {
  const coder = new TextEncoder();
  if (coder.encode(text).length <= bytes_max) return text;
  const buffer = new Uint8Array(bytes_max - ELLIPSIS_BYTES);
  const { read } = coder.encodeInto(text, buffer);
  return `${text.slice(0, read)}…`;
}

const ELLIPSIS_BYTES = 3;

/** Accepts base64 and base64url with or without padding, since libraries differ. */
function bytesOf(text: string): Uint8Array | undefined {
  if (text.length > BASE64_LENGTH_MAX) return undefined;
  const canonical = inBase64url(text);
  const bytes = Buffer.from(canonical, "base64url");
  return bytes.toString("base64url") === canonical ? bytes : undefined;
}

export const inBase64url = (text: string) =>
  text
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/={1,2}$/, "");
