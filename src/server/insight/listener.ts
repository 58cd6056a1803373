// The listener for Prometheus, on an address of its own, because metrics are not public.
import { Registry } from "prom-client";
import { type Address, reached } from "../listening.ts";
import { type Family } from "./families.ts";

const CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
const IDLE_SECONDS = 30;
const BODY_BYTES_MAX = 1_024;

/** Called for each scrape. */
type Source = () => readonly Family[] | Promise<readonly Family[]>;

export interface MetricsListener {
  readonly url: string;
  stop(): Promise<void>;
}

export function serveMetrics(address: Address, sources: readonly Source[]): MetricsListener {
  const server = reached(address, "--metrics", () =>
    Bun.serve({
      hostname: address.host,
      port: address.port,
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: BODY_BYTES_MAX,
      async fetch({ url, method }) {
        if (new URL(url).pathname !== "/metrics")
          return new Response("/metrics\n", { status: 404 });
        if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 405 });
        const headers = { "Content-Type": CONTENT_TYPE, "Cache-Control": "no-store" };
        return new Response(await textOf(sources), { headers });
      },
    }),
  );
  return { url: server.url.origin, stop: () => server.stop(true) };
}

type RegisteredMetric = Parameters<Registry["registerMetric"]>[0];

async function textOf(sources: readonly Source[]): Promise<string> {
  const registry = new Registry();
  for (const source of sources) {
    for (const family of await source()) {
      if (family.values.length === 0) continue;
      const metric = { name: family.name, get: () => Promise.resolve(family) };
      registry.registerMetric(metric as unknown as RegisteredMetric);
    }
  }
  return registry.metrics();
}
