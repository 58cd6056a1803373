// Runs zulip-js with Bun's own fetch and FormData, as in a browser.
import { createRequire } from "node:module";
import type { Json } from "../test-server.ts";

// The library's fetch for Node does not work in Bun, and it replaces the global one.
const { fetch, FormData } = globalThis;
const load = createRequire(import.meta.url);
const network = Object.assign(load("zulip-js/lib/helper"), { fetch, FormData });

/** The library has no types. */
export type Client = Json;
export const zulip: (config: Record<string, string>) => Promise<Client> = load("zulip-js");
globalThis.FormData = FormData;

/** Its event loop never ends: this lets its next request wait forever. */
export function hangUp(): void {
  network.fetch = () => new Promise(() => {});
}
