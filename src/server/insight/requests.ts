// Counts requests by route, and measures their duration.
import type { RoutePattern } from "../routing.ts";
import { type Family, POLL_BUCKETS, Histogram, REQUEST_BUCKETS, Tally } from "./families.ts";

const POLL = "/api/v1/events";
const SEND = "/api/v1/messages";
const TOO_MANY = 429;
/** Label for requests that no route matches. */
const UNMATCHED_ROUTE = "none";
const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);

/** Counts by method and status class. */
type Counts = Map<string, number>;

export class RequestCounts {
  private readonly byRoute = new Map<string, Counts>();
  private readonly all = new Histogram(REQUEST_BUCKETS);
  private readonly sends = new Histogram(REQUEST_BUCKETS);
  private readonly polls = new Histogram(POLL_BUCKETS);
  private readonly limited = new Tally();
  private underWay = 0;

  /** Counts a request as in progress until its response. */
  begin(): number {
    this.underWay += 1;
    return performance.now();
  }

  end(startedAt: number, method: string, pattern: RoutePattern | undefined, status: number): void {
    const seconds = (performance.now() - startedAt) / 1000;
    this.underWay -= 1;
    const route = nameOfPattern(pattern);
    const methodLabel = METHODS.has(method) ? method : "other";
    if (route === POLL && methodLabel === "GET") this.polls.observe(seconds);
    else this.all.observe(seconds);
    if (route === SEND && methodLabel === "POST") this.sends.observe(seconds);
    if (status === TOO_MANY) this.limited.add(pattern?.isApi ? "api" : "pages");
    let counts = this.byRoute.get(route);
    if (!counts) this.byRoute.set(route, (counts = new Map()));
    const kind = `${methodLabel} ${Math.floor(status / 100)}xx`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }

  families(): Family[] {
    const values = [...this.byRoute].flatMap(([route, counts]) =>
      [...counts].map(([kind, value]) => {
        const [method, code] = kind.split(" ") as [string, string];
        return { value, labels: { route, method, code } };
      }),
    );
    const requests = "Requests, by route, method and class of status.";
    const limited = "Requests rejected by rate limits, by kind of limit.";
    const requestsUnderWay = this.underWay;
    return [
      { name: "skein_http_requests_total", help: requests, type: "counter", values },
      this.all.family("skein_http_request_duration_seconds", "Response time, without polls."),
      this.sends.family(
        "skein_send_duration_seconds",
        "Time from a send request to its durable response.",
      ),
      this.polls.family("skein_poll_wait_seconds", "Duration of event polls."),
      {
        name: "skein_http_requests_under_way",
        help: "Requests in progress, including open polls.",
        type: "gauge",
        values: [{ value: requestsUnderWay, labels: {} }],
      },
      {
        name: "skein_rate_limited_total",
        help: limited,
        type: "counter",
        values: [...this.limited].map(([rule, value]) => ({ value, labels: { rule } })),
      },
    ];
  }
}

const names = new WeakMap<RoutePattern, string>();

/** Returns the declared path of the route; its twin under /json has the same name. */
export function nameOfPattern(pattern: RoutePattern | undefined): string {
  if (pattern === undefined) return UNMATCHED_ROUTE;
  let name = names.get(pattern);
  if (name === undefined) {
    const path = pattern.segments.map((word) => word ?? "{}").join("/");
    const isTwin = path.startsWith("/json/") && pattern.isApi;
    names.set(pattern, (name = isTwin ? path.replace("/json", "/api/v1") : path));
  }
  return name;
}
