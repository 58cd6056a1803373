// Descriptors: some are kept for the database, uploads and commands, however many clients come.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tooManyConnections } from "../contract/errors/general.ts";
import type { Peers } from "./asker/proxies.ts";

const OPEN = "/proc/self/fd";
const LIMITS = "/proc/self/limits";
/** Kept free: an eighth of what there is, within these. */
const RESERVE_PART = 8;
const RESERVE_MIN = 16;
const RESERVE_MAX = 256;
/** A look costs some microseconds, and nobody opens so many connections in between. */
const LOOK_MS = 10;

export class Descriptors {
  private readonly cap: number;
  /** From here on it is kept in mind who is there. */
  private readonly near: number;
  private readonly known = new Set<string>();
  private used = 0;
  private isFull = false;
  private lookedAt = -Infinity;

  constructor(
    limit: number = limitOfProcess(),
    private readonly count: () => number = inUse,
    private readonly now: () => number = () => performance.now(),
  ) {
    const reserve = Math.min(Math.max(limit / RESERVE_PART, RESERVE_MIN), RESERVE_MAX);
    this.cap = limit - reserve;
    this.near = this.cap / 2;
  }

  /** Refuses what comes on a connection beyond the cap. */
  admit(request: Request, connections: Peers | null): void {
    if (!this.admits(request, connections)) throw tooManyConnections();
  }

  /** False: it comes on a connection beyond the cap, which is to be closed. */
  admits(request: Request, connections: Peers | null): boolean {
    if (this.cap === Infinity) return true;
    const now = this.now();
    if (now - this.lookedAt >= LOOK_MS) this.look(now, connections);
    if (this.used < this.near || connections === null) return true;
    const { address = "", port } = connections.requestIP(request) ?? {};
    const name = `${address} ${port}`;
    if (this.known.has(name)) return true;
    if (this.used >= this.cap) return false;
    this.known.add(name);
    return true;
  }

  private look(now: number, connections: Peers | null): void {
    this.lookedAt = now;
    this.used = this.count();
    if (this.used < this.near || this.known.size > this.cap) this.known.clear();
    const isFull = this.used >= this.cap;
    // Once: what is idle later is of those who were there, and may be needed for a send.
    if (isFull && !this.isFull) connections?.closeIdleConnections?.();
    this.isFull = isFull;
  }
}

/** Where the system does not say, there is no cap. */
function limitOfProcess(): number {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync(LIMITS, "utf8")) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** Newer kernels say it as the size of the folder; that costs the same, however many there are. */
function inUse(): number {
  try {
    return statSync(OPEN).size || readdirSync(OPEN).length;
  } catch (error) {
    return (error as { code?: string }).code === "EMFILE" ? Infinity : 0;
  }
}
