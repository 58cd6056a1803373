// Says to whoever watches the server whether it lives and whether it is ready.
import { openEndpoint } from "../../endpoint.ts";
import { serverNotReady } from "../../errors.ts";
import type { Realm } from "../../realm.ts";

const SAID = { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } };

/** The process answers. */
export const livez = openEndpoint({
  params: {},
  run: () => new Response("ok\n", SAID),
});

/** It takes requests, also where no organization was set up yet. */
export const readyz = openEndpoint({
  params: {},
  run: ({ realm }) =>
    isReady(realm)
      ? new Response("ok\n", SAID)
      : new Response("stopping\n", { ...SAID, status: 503 }),
});

export const health = openEndpoint({
  params: {},
  run: ({ realm }) => {
    if (!isReady(realm)) throw serverNotReady();
    return {};
  },
});

/** It does not stop, and what it keeps can be read. */
function isReady({ hub, read }: Realm): boolean {
  return !hub.isStopping && read.last("events") >= 0;
}
