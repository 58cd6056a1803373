// Says to whoever watches the server whether it lives and whether it is ready.
import { type HostContext, openEndpoint } from "../../endpoint.ts";
import { serverNotReady } from "../../errors-realm.ts";
import type { Realm } from "../../realm.ts";

const SAID = { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } };

// A probe knows the machine, and seldom the name of an organization.

/** The process answers. */
export const livez = openEndpoint({ params: {}, run: alive, withoutRealm: alive });

/** It takes requests, also where no organization was set up yet. */
export const readyz = openEndpoint({ params: {}, run: ready, withoutRealm: ready });

export const health = openEndpoint({ params: {}, run: healthy, withoutRealm: healthy });

type Probed = Pick<HostContext, "hosts">;

function alive() {
  return new Response("ok\n", SAID);
}

function ready({ hosts }: Probed) {
  if (hosts.realms.every(isReady)) return alive();
  return new Response("stopping\n", { ...SAID, status: 503 });
}

function healthy({ hosts }: Probed) {
  if (!hosts.realms.every(isReady)) throw serverNotReady();
  return {};
}

/** It does not stop, and what it keeps can be read. */
function isReady({ hub, read }: Realm): boolean {
  return !hub.isStopping && read.last("events") >= 0;
}
