// Observes the end of each request, for metrics and the request log.
import type { Config } from "../../contract/config.ts";
import type { Caller } from "../caller/authenticate.ts";
import { addressOf, type ArrivedRequest } from "../caller/proxies.ts";
import type { Log } from "../log.ts";
import type { RoutePattern } from "../routing.ts";
import { nameOfPattern, type RequestCounts } from "./requests.ts";

type ResponseOrPromise = Response | Promise<Response>;

/** Properties of a request that are known when it is answered. */
interface ObservedRequest extends ArrivedRequest {
  readonly pattern: RoutePattern | undefined;
  readonly id: string;
  readonly caller?: Caller | undefined;
}

interface RequestInProgress {
  readonly passing: ObservedRequest;
  readonly startedAt: number;
}

type ObserverConfig = Pick<
  Config,
  "log_requests" | "log_level" | "log_addresses" | "proxies" | "trusted_proxy"
>;

export class RequestObserver {
  /**
   * Requests in progress: from the start of processing until the response exists or the request
   * waits for one.
   */
  private readonly underWay = new WeakMap<Request, RequestInProgress>();

  constructor(
    private readonly config: ObserverConfig,
    private readonly log: Log,
    private readonly counts: RequestCounts | undefined,
  ) {}

  begin(observed: ObservedRequest): void {
    if (!this.isObserved) return;
    const { counts } = this;
    const startedAt = counts ? counts.begin() : performance.now();
    this.underWay.set(observed.request, { passing: observed, startedAt });
  }

  /**
   * Called as soon as the response or its promise exists. A waiting request keeps little state
   * unless it is logged.
   */
  watch(payload: ResponseOrPromise, request: Request): ResponseOrPromise {
    const observed = this.isObserved ? this.underWay.get(request) : undefined;
    if (observed === undefined) return payload;
    this.underWay.delete(request);
    const { counts } = this;
    const { startedAt, passing } = observed;
    const { method } = request;
    const { pattern } = passing;
    const observedRequest = this.isLogged ? passing : undefined;
    const end = (response: Response): Response => {
      counts?.end(startedAt, method, pattern, response.status);
      if (observedRequest) this.logRequest(observedRequest, method, response, startedAt);
      return response;
    };
    return payload instanceof Promise ? payload.then(end) : end(payload);
  }

  private get isObserved(): boolean {
    return this.counts !== undefined || this.isLogged;
  }

  private get isLogged(): boolean {
    return this.config.log_requests || this.config.log_level === "debug";
  }

  private logRequest(
    observed: ObservedRequest,
    method: string,
    { status, headers }: Response,
    startedAt: number,
  ): void {
    const { config } = this;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const bytes = Number(headers.get("content-length")) || undefined;
    const { request, caller, id: request_id } = observed;
    const user_id = caller?.user.user_id;
    const agent = /^[\w.-]{1,40}/.exec(request.headers.get("user-agent") ?? "")?.[0];
    const address = config.log_addresses === false ? undefined : addressOf(observed, config);
    const route = nameOfPattern(observed.pattern);
    const fields = {
      request_id,
      method,
      route,
      status,
      ms,
      bytes,
      user_id,
      client: agent,
      address,
    };
    this.log[config.log_requests ? "info" : "debug"]("request", fields);
  }
}

const SAFE_REQUEST_ID = /^[\w.-]{8,64}$/;

/** Returns the request id that the client sent, or a generated one. */
export function requestId({ headers }: Request): string {
  const input = headers.get("x-request-id");
  if (input !== null && SAFE_REQUEST_ID.test(input)) return input;
  return crypto.randomUUID();
}
