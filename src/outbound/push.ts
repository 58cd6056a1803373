// Hands pushes to push services (RFC 8030, sealed by RFC 8291) and to ntfy servers.
import { type Asked, type GuardedClient, OutboundLate, OutboundRefused } from "./client.ts";

/** What became of a push; only what is put off is worth another attempt. */
export interface Delivery {
  is: "taken" | "put off" | "refused" | "gone";
  /** Of the answer, if there was one. */
  status: number | null;
  /** "" of what was taken; it tells nothing of our own network. */
  reason: string;
  /** Of what is put off: not before then, as the header Retry-After has it. */
  retry_after?: string | undefined;
}

/** A browser, or an app behind UnifiedPush; keys are base64url. */
export interface PushPoint {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface PushSigner {
  public_key: string;
  private_key: string;
  subject: string;
}

export interface PushHeaders {
  ttl_seconds: number;
  urgency: "high" | "normal";
  /** What waits at the push service with the same topic is replaced. */
  topic?: string;
}

const CODING = "aes128gcm";

export async function pushSealed(
  client: GuardedClient,
  point: PushPoint,
  signer: PushSigner,
  payload: string,
  { ttl_seconds, urgency, topic }: PushHeaders,
): Promise<Delivery> {
  const { encrypt, getVapidHeaders } = await import("web-push");
  const { endpoint, p256dh, auth } = point;
  const { public_key, private_key, subject } = signer;
  const { origin } = new URL(endpoint);
  const body = encrypt(p256dh, auth, payload, CODING).cipherText;
  const headers = {
    ...getVapidHeaders(origin, subject, public_key, private_key, CODING),
    "Content-Type": "application/octet-stream",
    "Content-Encoding": CODING,
    "Content-Length": String(body.length),
    TTL: String(ttl_seconds),
    Urgency: urgency,
    ...(topic !== undefined && { Topic: topic }),
  };
  const delivery = await deliver(client, { url: endpoint, method: "POST", headers, body });
  const isGone = delivery.status === 404 || delivery.status === 410;
  return isGone ? { ...delivery, is: "gone", reason: "the subscription is no more" } : delivery;
}

export interface NtfyServer {
  /** With a slash at the end. */
  url: string;
  token: string | undefined;
}

/** `message`: the fields of ntfy's JSON form. */
export function publish(
  client: GuardedClient,
  { url, token }: NtfyServer,
  message: object,
): Promise<Delivery> {
  const body = JSON.stringify(message);
  const headers = {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...authorization(token),
  };
  return deliver(client, { url, method: "POST", headers, body });
}

/**
 * Takes a notification away, as one that was seen, or with all that was said in it. Servers before
 * ntfy 2.16 know no such thing.
 */
export function takeBack(
  client: GuardedClient,
  { url, token }: NtfyServer,
  topic: string,
  sequence_id: string,
  isGone: boolean,
): Promise<Delivery> {
  const headers = { "Content-Length": "0", ...authorization(token) };
  const published = `${url}${topic}/${sequence_id}`;
  return isGone
    ? deliver(client, { url: published, method: "DELETE", headers })
    : deliver(client, { url: `${published}/clear`, method: "PUT", headers });
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** What is said beside the status is of no use. */
const ANSWER_BYTES_MAX = 4_096;
const BUSY = [408, 425, 429];

async function deliver(
  client: GuardedClient,
  asked: Pick<Asked, "url" | "method" | "headers" | "body">,
): Promise<Delivery> {
  try {
    const answer = { types: null, bytes_max: ANSWER_BYTES_MAX, cut: true };
    const { status, retry_after } = await client.ask({ ...asked, ...answer, is_secret: true });
    const meaning = meaningOf(status);
    return meaning.is === "put off" ? { ...meaning, retry_after } : meaning;
  } catch (error) {
    return failureOf(error);
  }
}

function meaningOf(status: number): Delivery {
  if (status >= 200 && status <= 299) return { is: "taken", status, reason: "" };
  if (status >= 500 || BUSY.includes(status)) {
    return { is: "put off", status, reason: `it is busy or out of order (${status})` };
  }
  if (status === 401 || status === 403) {
    return { is: "refused", status, reason: `it does not let us push there (${status})` };
  }
  return { is: "refused", status, reason: `it refused the push (${status})` };
}

function failureOf(error: unknown): Delivery {
  if (error instanceof OutboundLate) {
    return { is: "put off", status: null, reason: "there was no answer in time" };
  }
  if (error instanceof OutboundRefused) {
    return { is: "refused", status: null, reason: "its address may not be called from here" };
  }
  return { is: "put off", status: null, reason: "the connection failed" };
}
