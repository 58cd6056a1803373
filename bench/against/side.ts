// Starts one of two compared builds and measures it.
import { type Server, startBuilt } from "../processes.ts";
import { type Ratio, ratioOf } from "../ratio.ts";
import type { Dataset } from "../datasets.ts";

export const MICROSECONDS = 1_000;

/** A build, and the data that it runs on. */
export interface Build {
  readonly executable: string;
  readonly dataset: Dataset;
}

export interface MeasuredRow {
  readonly label: string;
  readonly unit: string;
  readonly ratio: Ratio;
}

/** Pins the server to one core, like the smallest rented machines. */
const PINNED = Bun.which("taskset") === null ? [] : ["taskset", "-c", "0"];

export function open({ executable, dataset }: Build): Promise<Server> {
  return startBuilt(executable, dataset.directory, PINNED);
}

export function line<T>(
  label: string,
  unit: string,
  results: { candidate: T[]; baseline: T[] },
  value: (item: T) => number,
): MeasuredRow {
  return { label, unit, ratio: ratioOf(results, value) };
}
