// Starts one of two compared builds and measures it.
import { type Server, startBuilt } from "../processes.ts";
import { type Ratio, ratioOf } from "../ratio.ts";
import type { TestServer } from "../towns.ts";

export const MICROSECONDS = 1_000;

/** A build, and the data that it runs on. */
export interface Side {
  readonly executable: string;
  readonly at: TestServer;
}

export interface Measured {
  readonly what: string;
  readonly unit: string;
  readonly ratio: Ratio;
}

/** Pins the server to one core, like the smallest rented machines. */
const PINNED = Bun.which("taskset") === null ? [] : ["taskset", "-c", "0"];

export function open({ executable, at: server }: Side): Promise<Server> {
  return startBuilt(executable, server.directory, PINNED);
}

export function line<T>(
  label: string,
  unit: string,
  results: { ours: T[]; theirs: T[] },
  value: (item: T) => number,
): Measured {
  return { what: label, unit, ratio: ratioOf(results, value) };
}
