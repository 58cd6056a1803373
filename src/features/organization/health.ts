// Liveness and readiness endpoints for monitoring.
import { serverNotReady } from "../../contract/errors/realm.ts";
import { type HostContext, openEndpoint, optional, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { recentDiskRefusal } from "../../server/disk-errors.ts";
import { backupLines } from "../backup/state.ts";

const MESSAGES = { headers: { "Content-Type": "text/plain", "Cache-Control": "no-store" } };

// Probes know the machine but seldom the host name of an organization.

/** The process answers. */
export const livez = openEndpoint({
  summary: "Get whether the process is alive",
  tag: "Server",
  params: {},
  run: respondAlive,
  withoutRealm: respondAlive,
});

/**
 * Whether the server accepts requests, even before an organization is set up; otherwise reports why
 * not. `verbose` adds the state of backups.
 */
export const readyz = openEndpoint({
  summary: "Get whether the server is ready",
  tag: "Server",
  params: { verbose: optional(text) },
  run: ready,
  withoutRealm: ready,
});

export const health = openEndpoint({
  summary: "Get whether the server is ready, under another name",
  tag: "Server",
  params: {},
  run: healthy,
  withoutRealm: healthy,
});

type ProbeContext = Pick<HostContext, "hosts">;

function respondAlive() {
  return new Response("ok\n", MESSAGES);
}

function ready({ hosts }: ProbeContext, { verbose }: { verbose: string | undefined }) {
  const { realms } = hosts;
  const refusal = realms
    .map((realm) => realm.refusal)
    .find((refusalOfRealm) => refusalOfRealm !== undefined);
  if (refusal) return notReady(`writes are rejected: ${refusal.message}`);
  if (!realms.every(isReady)) return notReady("stopping");
  const diskRefusals = realms.flatMap(recentDiskRefusal);
  if (diskRefusals.length === 0)
    return verbose === undefined ? respondAlive() : healthResponse(realms);
  const reasons = [...new Set(diskRefusals.map(({ why }) => why))].sort().join(", ");
  const operations = [...new Set(diskRefusals.map(({ operation }) => operation))].sort().join(", ");
  return notReady(`${reasons}; refused: ${operations}`);
}

function healthResponse(realms: readonly Realm[]) {
  const lines = realms.flatMap((realm) => {
    const ofRealm = realms.length > 1 ? `${realm.config.url} ` : "";
    return backupLines(realm).map((line) => `${ofRealm}${line}`);
  });
  return new Response(`${["ok", ...lines].join("\n")}\n`, MESSAGES);
}

function notReady(text: string) {
  return new Response(
    `${text}
`,
    { ...MESSAGES, status: 503 },
  );
}

function healthy({ hosts }: ProbeContext) {
  if (!hosts.realms.every(isReady)) throw serverNotReady();
  return {};
}

/** Whether the server is not stopping and its data can be read and written. */
function isReady({ hub, read, refusal }: Realm): boolean {
  return !hub.isStopping && refusal === undefined && read.last("events") >= 0;
}
