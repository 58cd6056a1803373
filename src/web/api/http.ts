// Sends one request and returns its answer, or throws an error.

/** Parameters: texts unchanged, other values as JSON. Undefined ones are omitted. */
export type Params = Readonly<Record<string, unknown>>;

export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Under `/json`, with its parameters filled in. */
  readonly path: string;
  readonly params?: Params;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The request outlives its page. */
  readonly keepalive?: boolean;
}

/** In whose name one asks. */
export interface Asking {
  /** undefined: whoever is signed in, or nobody. */
  user_id(): number | undefined;
  /** Read anew for each request, as signing in changes it. */
  csrf(): string;
}

/** The server said no: the protocol's code, and words for the person. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly words: string,
    readonly body: Readonly<Record<string, unknown>>,
  ) {
    super(`${status} ${code}: ${words}`);
  }
}

/** Thrown without an answer of the server: network or server unavailable, or overloaded. */
export class Unanswered extends Error {
  constructor(
    message: string,
    /** Time to wait before the next try, as the server asks. */
    readonly wait_ms = 0,
  ) {
    super(message);
  }
}

export const isSignedOut = (error: unknown): boolean =>
  error instanceof Refused && error.status === UNAUTHORIZED && error.code === "UNAUTHORIZED";

/** Whether the session has no account, so that only public content can be requested. */
export const isForVisitors = (error: unknown): boolean =>
  error instanceof Refused && error.status === BAD_REQUEST;

/** Another account has signed in to this browser. */
export const isAnothers = (error: unknown): boolean =>
  error instanceof Refused && error.code === "SESSION_OF_ANOTHER";

/** Throws where a refusal is of the session and not of what was asked: that waits for a better. */
export function toTryAgain(error: Refused): void {
  if (isSignedOut(error) || isAnothers(error)) throw error;
  if (error.code === "CSRF_FAILED") throw new Unanswered(error.words);
}

const BAD_REQUEST = 400;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;
const REQUEST_TIMEOUT = 408;
const SERVER_FAULT = 500;

/** The server refuses in English; what is fetched later puts it into other languages. */
export const spoken = { refusal: async (said: string): Promise<string> => said };

export async function ask<T>(asking: Asking, request: Request): Promise<T> {
  const { method, path, params = {}, signal, keepalive = false } = request;
  const form = formOf(params);
  const query = method === "GET" && form.size > 0 ? `?${form}` : "";
  const init: RequestInit = { method, headers: headersOf(asking, request), keepalive };
  if (method !== "GET") init.body = form;
  if (signal) init.signal = signal;
  const response = await reached(() => fetch(`/json${path}${query}`, init), signal);
  const body = await reached(() => response.json() as Promise<Record<string, unknown>>, signal);
  if (response.ok) return body as T;
  const { status } = response;
  if (status >= SERVER_FAULT || status === TOO_MANY || status === REQUEST_TIMEOUT) {
    const seconds = Number(body["retry-after"] ?? response.headers.get("retry-after") ?? 0);
    throw new Unanswered(`${status} from ${path}`, seconds * 1000 || 0);
  }
  const words = await spoken.refusal(String(body["msg"] ?? ""));
  throw new Refused(status, String(body["code"] ?? ""), words, body);
}

/** A page of some proxy is no answer either. */
async function reached<T>(step: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await step();
  } catch (error) {
    signal?.throwIfAborted();
    throw new Unanswered(String(error));
  }
}

/** Headers of every request. */
export function headersOf(
  asking: Asking,
  { method, headers }: { method: string; headers?: Readonly<Record<string, string>> | undefined },
) {
  const all = new Headers({ Accept: "application/json", ...headers });
  const user_id = asking.user_id();
  if (user_id !== undefined) all.set("X-User-Id", String(user_id));
  if (method !== "GET") all.set("X-CSRFToken", asking.csrf());
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
