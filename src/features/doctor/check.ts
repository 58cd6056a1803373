// How a check is made: what it finds, and how the doctor mends it where that is asked for.
import { areaOf, type Area, type Checked } from "./rules.ts";

/** undefined: there is nothing to look at here. */
export type Finding = Found | undefined;

export interface Found {
  readonly state: Checked["state"];
  readonly says: string;
  readonly remedy?: string;
  readonly mend?: Mending;
  readonly repair?: Mending;
}

type Mending = () => void | Promise<void>;

export interface Check<F> {
  readonly id: string;
  /** It is about one organization: its owners are told of it where others share the server. */
  readonly is_own?: true;
  run(facts: F): Finding | Promise<Finding>;
}

export const ok = (says: string): Found => ({ state: "ok", says });

/**
 * A problem. `mend` fixes it without side effects. `repair` may also take long, or remove rows that
 * cannot be read.
 */
export function bad(
  state: "warn" | "fail",
  says: string,
  remedy: string,
  mend?: Mending,
  repair?: Mending,
): Found {
  return { state, says, remedy, ...(mend && { mend }), ...(repair && { repair }) };
}

const LISTED = 3;

/** The first of them, and how many more there are. */
export function listed(words: readonly string[]): string {
  const more = words.length > LISTED ? ` and ${words.length - LISTED} more` : "";
  return `${words.slice(0, LISTED).join("; ")}${more}`;
}

export interface Wish {
  /** Only these areas; none is all. */
  readonly only: readonly Area[];
  readonly fix: boolean;
  readonly mend: boolean;
  /** Only what is of the organization, for people who do not keep the server. */
  readonly is_own?: boolean;
}

/** All at once, or one by one where one may change what the next one finds; told in their order. */
export async function checkAll<F>(
  checks: readonly Check<F>[],
  facts: F,
  wish: Wish,
): Promise<Checked[]> {
  const { only } = wish;
  const wanted = checks.filter((check) => {
    if (wish.is_own && !check.is_own) return false;
    return only.length === 0 || only.some((area) => area === areaOf(check));
  });
  const found: (Checked | undefined)[] = [];
  if (!wish.fix && !wish.mend) {
    found.push(...(await Promise.all(wanted.map((check) => checkOne(check, facts, wish)))));
  } else for (const check of wanted) found.push(await checkOne(check, facts, wish));
  return found.flatMap((checked) => checked ?? []);
}

async function checkOne<F>(check: Check<F>, facts: F, wish: Wish): Promise<Checked | undefined> {
  const first = await ask(check, facts, wish);
  const mending = wish.mend ? (first?.repair ?? first?.mend) : wish.fix ? first?.mend : undefined;
  if (!first || !mending) return first && told(check, first, false);
  try {
    await mending();
  } catch (error) {
    const says = `${first.says} It could not be mended: ${(error as Error).message}.`;
    return told(check, { ...first, says }, false);
  }
  const after = (await ask(check, facts, wish)) ?? ok("There is nothing amiss any more.");
  return told(check, after, after.state === "ok");
}

/** A check that fails to run is a finding, too. The reason may be confidential. */
async function ask<F>(check: Check<F>, facts: F, { is_own }: Wish): Promise<Finding> {
  try {
    return await check.run(facts);
  } catch (error) {
    if (is_own) {
      return bad("fail", "This could not be looked at.", "ask whoever keeps the server why");
    }
    const words = `This could not be looked at: ${(error as Error).message}.`;
    return bad("fail", words, "see that the account of the server may do so, and try again");
  }
}

function told({ id }: { id: string }, found: Found, is_mended: boolean): Checked {
  const { state, says, remedy = null } = found;
  return { id, state, says, remedy, is_mended };
}
