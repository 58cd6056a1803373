// Sends pushes to push services (RFC 8030, encrypted by RFC 8291) and to ntfy servers.
import {
  type GuardedClient,
  OutboundTimedOut,
  OutboundRefused,
  type OutboundRequest,
} from "./client.ts";
import { recordOutcome } from "./outcomes.ts";
import { type PushSigner, vapid } from "./vapid.ts";

/** The result of a push. Only `later` is worth a retry. */
export interface Delivery {
  is: "taken" | "put off" | "refused" | "gone";
  /** Status of the response, if there was one. */
  status: number | null;
  /** "" if accepted. Never reveals anything about the internal network. */
  reason: string;
  /** The `Retry-After` header of a deferred push. */
  retry_after?: string | undefined;
}

/** A browser, or an app with UnifiedPush. Keys are base64url. */
interface PushPoint {
  endpoint: string;
  p256dh: string;
  auth: string;
}

interface PushHeaders {
  ttl_seconds: number;
  urgency: "high" | "normal";
  /** Replaces pending pushes with the same topic at the push service. */
  topic?: string;
}

export async function pushSealed(
  client: Pick<GuardedClient, "send">,
  point: PushPoint,
  signer: PushSigner,
  payload: string,
  { ttl_seconds, urgency, topic }: PushHeaders,
): Promise<Delivery> {
  const { encryptNotification } = await import("@block65/webcrypto-web-push");
  const { endpoint, ...keys } = point;
  const subscription = { endpoint, expirationTime: null, keys };
  const sealed = await encryptNotification(subscription, Buffer.from(payload));
  const body = Buffer.from(sealed.buffer);
  const headers = {
    Authorization: await vapid(new URL(endpoint).origin, signer),
    "Content-Type": "application/octet-stream",
    "Content-Encoding": "aes128gcm",
    "Content-Length": String(body.length),
    TTL: String(ttl_seconds),
    Urgency: urgency,
    ...(topic !== undefined && { Topic: topic }),
  };
  const delivery = await deliver(client, { url: endpoint, method: "POST", headers, body });
  const isRemoved = delivery.status === 404 || delivery.status === 410;
  return isRemoved
    ? { ...delivery, is: "gone", reason: "the subscription no longer exists" }
    : delivery;
}

interface NtfyServer {
  /** Ends with a slash. */
  url: string;
  token: string | undefined;
}

/** `message`: the fields of ntfy's JSON format. */
export function publish(
  client: Pick<GuardedClient, "send">,
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

/** Marks a notification as read, or deletes it. Requires ntfy 2.16. */
export function withdraw(
  client: Pick<GuardedClient, "send">,
  { url, token }: NtfyServer,
  topic: string,
  sequence_id: string,
  isRemoved: boolean,
): Promise<Delivery> {
  const headers = { "Content-Length": "0", ...authorization(token) };
  const published = `${url}${topic}/${sequence_id}`;
  return isRemoved
    ? deliver(client, { url: published, method: "DELETE", headers })
    : deliver(client, { url: `${published}/clear`, method: "PUT", headers });
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { Authorization: `Bearer ${token}` };
}

/** The body of the response is not used. */
const ANSWER_BYTES_MAX = 4_096;
const BUSY_STATUSES = [408, 425, 429];

async function deliver(
  client: Pick<GuardedClient, "send">,
  requested: Pick<OutboundRequest, "url" | "method" | "headers" | "body">,
): Promise<Delivery> {
  try {
    const response = { types: null, bytes_max: ANSWER_BYTES_MAX, truncates: true };
    const { status, retry_after } = await client.send({
      ...requested,
      ...response,
      is_secret: true,
    });
    const resultOf = meaningOf(status);
    recordOutcome("push", resultOf.is === "taken" ? "ok" : "failed");
    return resultOf.is === "put off" ? { ...resultOf, retry_after } : resultOf;
  } catch (error) {
    recordOutcome("push", "failed");
    return failureOf(error);
  }
}

function meaningOf(status: number): Delivery {
  if (status >= 200 && status <= 299) return { is: "taken", status, reason: "" };
  if (status >= 500 || BUSY_STATUSES.includes(status)) {
    return { is: "put off", status, reason: `it is overloaded or unavailable (${status})` };
  }
  if (status === 401 || status === 403) {
    return { is: "refused", status, reason: `it does not allow this server to push (${status})` };
  }
  return { is: "refused", status, reason: `it rejected the push (${status})` };
}

function failureOf(error: unknown): Delivery {
  if (error instanceof OutboundTimedOut) {
    return { is: "put off", status: null, reason: "it did not respond in time" };
  }
  if (error instanceof OutboundRefused) {
    return { is: "refused", status: null, reason: "connections to its address are not allowed" };
  }
  return { is: "put off", status: null, reason: "the connection failed" };
}
