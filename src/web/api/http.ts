// Sends one request and returns its response, or throws an error.
import { ApiError, MESSAGE_MISSING } from "../contract/api-error.ts";

/** Parameters: texts unchanged, other values as JSON. Undefined ones are omitted. */
export type Params = Readonly<Record<string, unknown>>;

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path under `/json`, with its parameters filled in. */
  readonly path: string;
  readonly params?: Params;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The request continues after the page is closed. */
  readonly keepalive?: boolean;
}

/** The user on whose behalf requests are sent. */
export interface RequestContext {
  /** undefined: the signed-in user, if any. */
  user_id(): number | undefined;
  /** Read again for each request, because signing in changes it. */
  csrf(): string;
}

/** Thrown if the server does not respond: the network or server is unavailable or overloaded. */
export class NoResponse extends Error {
  constructor(
    message: string,
    /** Time to wait before the next try, as the server asks. */
    readonly wait_ms = 0,
  ) {
    super(message);
  }
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === UNAUTHORIZED && error.code === "UNAUTHORIZED";

/** Whether the session has no account, so that only public content can be requested. */
export const isSpectatorError = (error: unknown): boolean =>
  error instanceof ApiError && error.status === BAD_REQUEST;

/** Whether another account has signed in to this browser. */
export const isOtherAccount = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "SESSION_OF_ANOTHER";

/**
 * Throws if the error is about the session and not the request, which is then retried after signing
 * in.
 */
export function rethrowSessionError(error: ApiError): void {
  if (isSignedOut(error) || isOtherAccount(error)) throw error;
  if (error.code === "CSRF_FAILED") throw new NoResponse(error.text);
}

const BAD_REQUEST = 400;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;
const REQUEST_TIMEOUT = 408;
const SERVER_FAULT = 500;
const MESSAGE_MISSING_TEXT = "Invalid message(s)";

/** Sends the request. Errors of the server are in English. */
export async function ask<T>(requestContext: RequestContext, request: Request): Promise<T> {
  const { method, path, params = {}, signal, keepalive = false } = request;
  const form = formOf(params);
  const query = method === "GET" && form.size > 0 ? `?${form}` : "";
  const init: RequestInit = { method, headers: headersOf(requestContext, request), keepalive };
  if (method !== "GET") init.body = form;
  if (signal) init.signal = signal;
  const response = await orNoResponse(() => fetch(`/json${path}${query}`, init), signal);
  const body = await orNoResponse(
    (): Promise<Readonly<Record<string, unknown>>> => response.json(),
    signal,
  );
  if (response.ok) return body as T;
  const { status } = response;
  if (status >= SERVER_FAULT || status === TOO_MANY || status === REQUEST_TIMEOUT) {
    const seconds = Number(body["retry-after"] ?? response.headers.get("retry-after") ?? 0);
    throw new NoResponse(`${status} from ${path}`, seconds * 1000 || 0);
  }
  const text = String(body["msg"] ?? "");
  const code = text === MESSAGE_MISSING_TEXT ? MESSAGE_MISSING : String(body["code"] ?? "");
  throw new ApiError(status, code, text, body);
}

/** A proxy's error page does not count as a response. */
async function orNoResponse<T>(
  step: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    signal?.throwIfAborted();
    throw new NoResponse(String(error));
  }
}

/** Headers of every request. */
export function headersOf(
  requestContext: RequestContext,
  { method, headers }: { method: string; headers?: Readonly<Record<string, string>> | undefined },
) {
  const all = new Headers({ Accept: "application/json", ...headers });
  const user_id = requestContext.user_id();
  if (user_id !== undefined) all.set("X-User-Id", String(user_id));
  if (method !== "GET") all.set("X-CSRFToken", requestContext.csrf());
  return all;
}

export function formOf(params: Params): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    form.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}
