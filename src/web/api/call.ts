// Declares calls by an endpoint's method and path, with the endpoint's own types.
import type { OptionalParameter, TypedEndpoint, ValuesOf } from "../../endpoint.ts";
import type { QueuedRequest, Priority } from "./request-queue.ts";
import type { Params, Request } from "./http.ts";

type OptionalParams<P> = {
  [K in keyof P]: P[K] extends OptionalParameter<unknown> ? K : never;
}[keyof P];
/** A request's parameters; optional ones may be omitted. */
type GivenParams<P> = Omit<ValuesOf<P>, OptionalParams<P>> &
  Partial<Pick<ValuesOf<P>, OptionalParams<P>>>;
export type ParamsOf<E> = E extends TypedEndpoint<infer P, unknown> ? GivenParams<P> : never;
export type AnswerOf<E> = E extends TypedEndpoint<unknown, infer A> ? A : never;

/** Sends requests, with or without a queue. */
export interface ApiClient {
  ask<T>(request: QueuedRequest): Promise<T>;
}

type RequestOptions = Partial<Omit<QueuedRequest, "method" | "path" | "params">>;

/** Names in braces are taken from the parameters. */
export function call<E, A = AnswerOf<E>>(
  method: Request["method"],
  path: string,
  priority: Priority,
  isRetried = method === "GET",
) {
  /** Describes the request, for callers that store it. */
  const send = (params: ParamsOf<E>) => {
    const { filled, rest } = filledIn(path, params as Params);
    return { method, path: filled, params: rest, priority };
  };
  const run = (client: ApiClient, params: ParamsOf<E>, more: RequestOptions = {}): Promise<A> =>
    client.ask<A>({ ...send(params), isRetried, ...more });
  return Object.assign(run, { method, path, toRequest: send });
}

function filledIn(path: string, params: Params): { filled: string; rest: Params } {
  const rest: Record<string, unknown> = { ...params };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { filled, rest };
}
