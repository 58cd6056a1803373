// How a check is made: what it finds, and how the doctor mends it where that is asked for.
import { areaOf, type Area, type Checked } from "./rules.ts";

/** undefined: there is nothing to look at here. */
export type Finding = Found | undefined;

export interface Found {
  readonly state: Checked["state"];
  readonly says: string;
  readonly remedy?: string;
  readonly mend?: () => void | Promise<void>;
}

export interface Check<F> {
  readonly id: string;
  run(facts: F): Finding | Promise<Finding>;
}

export const ok = (says: string): Found => ({ state: "ok", says });

/** What is not as it should be; `mend` puts it right without harm to anything. */
export function bad(
  state: "warn" | "fail",
  says: string,
  remedy: string,
  mend?: Found["mend"],
): Found {
  return { state, says, remedy, ...(mend && { mend }) };
}

export interface Wish {
  /** Only these areas; none is all. */
  readonly only: readonly Area[];
  readonly fix: boolean;
}

/** All at once; told in their order. */
export async function checkAll<F>(
  checks: readonly Check<F>[],
  facts: F,
  { only, fix }: Wish,
): Promise<Checked[]> {
  const wanted = checks.filter((check) => {
    return only.length === 0 || only.some((area) => area === areaOf(check));
  });
  const found = await Promise.all(wanted.map((check) => checkOne(check, facts, fix)));
  return found.flatMap((checked) => checked ?? []);
}

async function checkOne<F>(check: Check<F>, facts: F, fix: boolean): Promise<Checked | undefined> {
  const first = await ask(check, facts);
  if (!fix || !first?.mend) return first && told(check, first, false);
  try {
    await first.mend();
  } catch (error) {
    const says = `${first.says} It could not be mended: ${(error as Error).message}.`;
    return told(check, { ...first, says }, false);
  }
  const after = (await ask(check, facts)) ?? ok("There is nothing amiss any more.");
  return told(check, after, after.state === "ok");
}

/** What cannot be looked at is found too. */
async function ask<F>(check: Check<F>, facts: F): Promise<Finding> {
  try {
    return await check.run(facts);
  } catch (error) {
    const words = `This could not be looked at: ${(error as Error).message}.`;
    return bad("fail", words, "see that the account of the server may do so, and try again");
  }
}

function told({ id }: { id: string }, found: Found, is_mended: boolean): Checked {
  const { state, says, remedy = null } = found;
  return { id, state, says, remedy, is_mended };
}
