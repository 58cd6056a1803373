// Says to whoever watches the server whether it lives and whether it is ready.
import { serverNotReady } from "../../contract/errors/realm.ts";
import { type HostContext, openEndpoint, optional, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { refusedLately } from "../../server/refusing.ts";
import { backupLines } from "../backup/state.ts";

const SAID = { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } };

// A probe knows the machine, and seldom the name of an organization.

/** The process answers. */
export const livez = openEndpoint({
  summary: "Say whether the process is alive",
  tag: "Server",
  params: {},
  run: alive,
  withoutRealm: alive,
});

/**
 * It takes requests, also where no organization was set up yet; else it says what it refuses.
 * `verbose`: and how backups went.
 */
export const readyz = openEndpoint({
  summary: "Say whether the server can do its work",
  tag: "Server",
  params: { verbose: optional(text) },
  run: ready,
  withoutRealm: ready,
});

export const health = openEndpoint({
  summary: "Say whether the server can do its work, by another name",
  tag: "Server",
  params: {},
  run: healthy,
  withoutRealm: healthy,
});

type Probed = Pick<HostContext, "hosts">;

function alive() {
  return new Response("ok\n", SAID);
}

function ready({ hosts }: Probed, { verbose }: { verbose: string | undefined }) {
  const { realms } = hosts;
  const refusal = realms.map((realm) => realm.refusal).find((found) => found !== undefined);
  if (refusal) return notReady(`writes are refused: ${refusal.message}`);
  if (!realms.every(isReady)) return notReady("stopping");
  const refused = realms.flatMap(refusedLately);
  if (refused.length === 0) return verbose === undefined ? alive() : told(realms);
  const whys = [...new Set(refused.map(({ why }) => why))].sort().join(", ");
  const whats = [...new Set(refused.map(({ what }) => what))].sort().join(", ");
  return notReady(`${whys}; refused: ${whats}`);
}

function told(realms: readonly Realm[]) {
  const lines = realms.flatMap((realm) => {
    const of = realms.length > 1 ? `${realm.config.url} ` : "";
    return backupLines(realm).map((line) => `${of}${line}`);
  });
  return new Response(`${["ok", ...lines].join("\n")}\n`, SAID);
}

function notReady(words: string) {
  return new Response(
    `${words}
`,
    { ...SAID, status: 503 },
  );
}

function healthy({ hosts }: Probed) {
  if (!hosts.realms.every(isReady)) throw serverNotReady();
  return {};
}

/** It does not stop, and what it keeps can be read and written. */
function isReady({ hub, read, refusal }: Realm): boolean {
  return !hub.isStopping && refusal === undefined && read.last("events") >= 0;
}
