// The areas of checks, and the form of their results.

export const AREAS = [
  "directory",
  "database",
  "time",
  "network",
  "mail",
  "outbound",
  "security",
  "operations",
] as const;
export type Area = (typeof AREAS)[number];

export const STATES = ["ok", "warn", "fail"] as const;
type State = (typeof STATES)[number];

/** The result of one check. */
export interface CheckResult {
  /** Its area, a dot, and a name. */
  readonly id: string;
  readonly state: State;
  /** The finding, in one sentence. */
  readonly message: string;
  /** Instructions to fix it. Null if nothing needs to be done. */
  readonly remedy: string | null;
  /** The problem was found and has been repaired. */
  readonly is_repaired: boolean;
}

export function isArea(text: string): text is Area {
  return AREAS.includes(text as Area);
}

export function areaOf({ id }: Pick<CheckResult, "id">): string {
  return id.slice(0, id.indexOf("."));
}

/** Returns the most severe state. */
export function worstOf(checked: readonly Pick<CheckResult, "state">[]): State {
  const grave = checked.map(({ state }) => STATES.indexOf(state));
  return STATES[Math.max(0, ...grave)]!;
}
