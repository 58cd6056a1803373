// One request to an S3-compatible store, signed with AWS Signature Version 4 and limited in time.
import { createHash, createHmac } from "node:crypto";
import type { BucketConfig } from "../contract/config.ts";

export interface Call {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** "" for the bucket itself. */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array<ArrayBuffer>;
}

export interface BucketResponse {
  status: number;
  headers: Headers;
  bytes: Uint8Array<ArrayBuffer>;
}

const SERVICE = "s3";
const ALGORITHM = "AWS4-HMAC-SHA256";
/** TLS protects the content; the signature covers sender and destination. */
const UNSIGNED = "UNSIGNED-PAYLOAD";

/**
 * Sends the request and reads the complete response. At the time limit, the connection is closed.
 */
export async function call(
  config: BucketConfig,
  requested: Call,
  most_ms: number,
): Promise<BucketResponse> {
  const url = urlOf(config, requested);
  const response = await fetch(url, {
    method: requested.method,
    headers: signed(config, requested, url, new Date()),
    ...(requested.body !== undefined && { body: requested.body }),
    redirect: "manual",
    signal: AbortSignal.timeout(most_ms),
  });
  return { status: response.status, headers: response.headers, bytes: await response.bytes() };
}

function urlOf({ endpoint, bucket }: BucketConfig, { key = "", query = {} }: Call): URL {
  const path = [bucket, ...(key === "" ? [] : key.split("/"))].map(encoded).join("/");
  const url = new URL(`${endpoint.replace(/\/$/, "")}/${path}`);
  url.search = queryOf(query);
  return url;
}

function queryOf(query: Readonly<Record<string, string>>): string {
  const names = Object.keys(query).sort();
  return names.map((name) => `${encoded(name)}=${encoded(query[name]!)}`).join("&");
}

/** Percent-encodes as RFC 3986 requires, with capital letters. */
function encoded(text: string): string {
  const code = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(text).replace(/[!'()*]/g, code);
}

function signed(config: BucketConfig, call: Call, url: URL, when: Date): Record<string, string> {
  const { region, access_key_id, secret_access_key } = config;
  const time = `${when.toISOString().replace(/[-:]/g, "").slice(0, 15)}Z`;
  const day = time.slice(0, 8);
  const signedHeaders = { host: url.host, "x-amz-content-sha256": UNSIGNED, "x-amz-date": time };
  const names = Object.keys(signedHeaders).join(";");
  const lines = Object.entries(signedHeaders).map(([name, value]) => `${name}:${value}\n`);
  const query = queryOf(call.query ?? {});
  const request = [call.method, url.pathname, query, lines.join(""), names, UNSIGNED].join("\n");
  const scope = `${day}/${region}/${SERVICE}/aws4_request`;
  const hash = createHash("sha256").update(request).digest("hex");
  const steps = [day, region, SERVICE, "aws4_request", `${ALGORITHM}\n${time}\n${scope}\n${hash}`];
  let key = Buffer.from(`AWS4${secret_access_key}`);
  for (const step of steps) key = createHmac("sha256", key).update(step).digest();
  const signature = key.toString("hex");
  const { host: _, ...sent } = signedHeaders;
  const userName = `Credential=${access_key_id}/${scope}`;
  const Authorization = `${ALGORITHM} ${userName}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...call.headers, ...sent, Authorization };
}
