// zulip-js with this runtime's own fetch and forms, as it finds them in a browser.
import { createRequire } from "node:module";
import type { Json } from "../test-server.ts";

// What it brings along for Node does not reach the network through Bun, and replaces the global.
const { fetch, FormData } = globalThis;
const load = createRequire(import.meta.url);
const network = Object.assign(load("zulip-js/lib/helper"), { fetch, FormData });

/** The library has no types. */
export type Client = Json;
export const zulip: (config: Record<string, string>) => Promise<Client> = load("zulip-js");
globalThis.FormData = FormData;

/** Its event loop has no end: this leaves it waiting for good. */
export function hangUp(): void {
  network.fetch = () => new Promise(() => {});
}
