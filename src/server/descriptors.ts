// Limits connections, so that the database, uploads and commands always have file descriptors.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tooManyConnections } from "../contract/errors/general.ts";
import type { Peers } from "./caller/proxies.ts";

const OPEN = "/proc/self/fd";
const LIMITS = "/proc/self/limits";
/** Reserve: an eighth of the limit, within these bounds. */
const RESERVE_FRACTION = 8;
const RESERVE_MIN = 16;
const RESERVE_MAX = 256;
/** A check costs some 20 microseconds, and few connections can be opened within this time. */
const CHECK_MS = 10;
/** With many free descriptors, checks are as rare as the fastest clients allow. */
const CHECK_MS_MAX = 1_000;
const CONNECTIONS_PER_MS_MAX = 50;

export class Descriptors {
  private readonly cap: number;
  /** From this number of connections on, known connections are remembered. */
  private readonly warnAt: number;
  private readonly knownPaths = new Set<string>();
  private used = 0;
  private isFull = false;
  private lookAt = -Infinity;

  constructor(
    limit: number = limitOfProcess(),
    private readonly count: () => number = inUse,
    private readonly now: () => number = () => performance.now(),
  ) {
    const reserve = Math.min(Math.max(limit / RESERVE_FRACTION, RESERVE_MIN), RESERVE_MAX);
    this.cap = limit - reserve;
    this.warnAt = this.cap / 2;
  }

  /** Rejects requests on connections beyond the limit. */
  admit(request: Request, connections: Peers | null): void {
    if (!this.canAdmit(request, connections)) throw tooManyConnections();
  }

  /** Returns false if the connection is beyond the limit and must be closed. */
  canAdmit(request: Request, connections: Peers | null): boolean {
    if (this.cap === Infinity) return true;
    const now = this.now();
    if (now >= this.lookAt) this.check(now, connections);
    if (this.used < this.warnAt || connections === null) return true;
    const { address = "", port } = connections.requestIP(request) ?? {};
    const name = `${address} ${port}`;
    if (this.knownPaths.has(name)) return true;
    if (this.used >= this.cap) return false;
    this.knownPaths.add(name);
    return true;
  }

  private check(now: number, connections: Peers | null): void {
    this.used = this.count();
    const free_ms = (this.warnAt - this.used) / CONNECTIONS_PER_MS_MAX;
    this.lookAt = now + Math.min(Math.max(free_ms, CHECK_MS), CHECK_MS_MAX);
    if (this.used < this.warnAt || this.knownPaths.size > this.cap) this.knownPaths.clear();
    const isFull = this.used >= this.cap;
    // Runs once. Connections that become idle later belong to known clients, which may need them.
    if (isFull && !this.isFull) connections?.closeIdleConnections?.();
    this.isFull = isFull;
  }
}

/** Returns Infinity if the system does not report a limit. */
function limitOfProcess(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** Newer kernels report the number as the folder's size, at constant cost. */
function inUse(): number {
  try {
    return statSync(OPEN).size || readdirSync(OPEN).length;
  } catch (error) {
    return (error as { code?: string }).code === "EMFILE" ? Infinity : 0;
  }
}
