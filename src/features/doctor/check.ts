// The interface of a check: its facts, its findings and its repair.
import { systemErrorText } from "../../store/system/system-errors.ts";
import { areaOf, type Area, type CheckResult } from "./rules.ts";

/** The result of a check; undefined if it does not apply. */
export type Finding = CheckOutcome | undefined;

interface CheckOutcome {
  readonly state: CheckResult["state"];
  readonly message: string;
  readonly remedy?: string;
  readonly mend?: Repair;
  readonly repair?: Repair;
}

type Repair = () => void | Promise<void>;

export interface Check<F> {
  readonly id: string;
  /**
   * The check concerns one organization. Its owners see the result even if organizations share the
   * server.
   */
  readonly is_own?: true;
  run(facts: F): Finding | Promise<Finding>;
}

export const ok = (text: string): CheckOutcome => ({ state: "ok", message: text });

/**
 * A problem. `mend` fixes it without side effects. `repair` may also take long, or remove rows that
 * cannot be read.
 */
export function bad(
  state: "warn" | "fail",
  text: string,
  remedy: string,
  mend?: Repair,
  repair?: Repair,
): CheckOutcome {
  return { state, message: text, remedy, ...(mend && { mend }), ...(repair && { repair }) };
}

const LISTED_MAX = 3;

/** Lists the first few items, and counts the others. */
export function listWords(words: readonly string[]): string {
  const more = words.length > LISTED_MAX ? ` and ${words.length - LISTED_MAX} more` : "";
  return `${words.slice(0, LISTED_MAX).join("; ")}${more}`;
}

export interface CheckOptions {
  /** Checks only these areas; all if empty. */
  readonly only: readonly Area[];
  readonly fix: boolean;
  readonly mend: boolean;
  /** Only checks about the organization, for users who do not operate the server. */
  readonly is_own?: boolean;
}

/**
 * Runs the checks in parallel, or in sequence if a repair may change later results. Returns results
 * in order.
 */
export async function checkAll<F>(
  checks: readonly Check<F>[],
  facts: F,
  options: CheckOptions,
): Promise<CheckResult[]> {
  const { only } = options;
  const selected = checks.filter((check) => {
    if (options.is_own && !check.is_own) return false;
    return only.length === 0 || only.some((area) => area === areaOf(check));
  });
  const outcomes: (CheckResult | undefined)[] = [];
  if (!options.fix && !options.mend) {
    outcomes.push(...(await Promise.all(selected.map((check) => checkOne(check, facts, options)))));
  } else for (const check of selected) outcomes.push(await checkOne(check, facts, options));
  return outcomes.flatMap((checked) => checked ?? []);
}

async function checkOne<F>(
  check: Check<F>,
  facts: F,
  options: CheckOptions,
): Promise<CheckResult | undefined> {
  const first = await request(check, facts, options);
  const repairing = options.mend
    ? (first?.repair ?? first?.mend)
    : options.fix
      ? first?.mend
      : undefined;
  if (!first || !repairing) return first && report(check, first, false);
  try {
    await repairing();
  } catch (error) {
    const text = `${first.message} It could not be repaired: ${(error as Error).message}.`;
    return report(check, { ...first, message: text }, false);
  }
  const after = (await request(check, facts, options)) ?? ok("The problem no longer exists.");
  return report(check, after, after.state === "ok");
}

/** A check that fails to run is reported as a finding. The reason may be confidential. */
async function request<F>(check: Check<F>, facts: F, { is_own }: CheckOptions): Promise<Finding> {
  try {
    return await check.run(facts);
  } catch (error) {
    if (is_own) {
      return bad("fail", "This could not be checked.", "ask the operator of the server");
    }
    const { code = "", message } = error as Error & { code?: string };
    const isForbidden = code === "EACCES" || code === "EPERM";
    const remedy = isForbidden ? "check the permissions of the server's account" : "fix the cause";
    const text = `This could not be checked: ${systemErrorText(error) ?? message}.`;
    return bad("fail", text, `${remedy}, and try again`);
  }
}

function report({ id }: { id: string }, outcome: CheckOutcome, is_repaired: boolean): CheckResult {
  const { state, message: text, remedy = null } = outcome;
  return { id, state, message: text, remedy, is_repaired };
}
