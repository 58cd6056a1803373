// Runs the checks of the server's environment and reports how to fix problems.
import Type from "typebox";
import { choice, list, nullable } from "../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, optional, text } from "../../endpoint.ts";
import { invalidValue } from "../../contract/errors/channels.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { isMultiTenant } from "../realm/multi-tenant.ts";
import { type Check, checkAll, type CheckOptions } from "./check.ts";
import { databaseChecks } from "./database-checks.ts";
import { directoryChecks } from "./directory.ts";
import type { Facts } from "./facts.ts";
import { mailChecks } from "./mail-checks.ts";
import { networkChecks } from "./network-checks.ts";
import { operationsChecks } from "./operations.ts";
import { pushChecks } from "./push-checks.ts";
import { type Area, type CheckResult, isArea, STATES, worstOf } from "./rules.ts";
import { securityChecks } from "./security.ts";
import { dependencyChecks } from "./dependencies-checks.ts";

export interface Examination extends CheckOptions {
  readonly is_serving: boolean;
  readonly is_quick: boolean;
  readonly is_deep: boolean;
  readonly hold_seconds: number;
}

const checks: readonly Check<Facts>[] = [
  ...directoryChecks,
  ...databaseChecks,
  ...networkChecks,
  ...mailChecks,
  ...dependencyChecks,
  ...pushChecks,
  ...securityChecks,
  ...operationsChecks,
];

export async function examine(realm: Realm, options: Examination): Promise<CheckResult[]> {
  const { is_serving, is_quick, is_deep, hold_seconds } = options;
  const { data } = realm.config;
  const location = { data, now: realm.clock.now() };
  const facts = { realm, ...location, is_serving, is_quick, is_deep, hold_seconds };
  const checked = await checkAll(checks, facts, options);
  return options.is_own ? checked.map((item) => withoutPaths(item, data)) : checked;
}

/** Users of an organization must not see the paths of the server. */
function withoutPaths(checked: CheckResult, data: string): CheckResult {
  const { message, remedy } = checked;
  const withoutPath = (text: string) => text.replaceAll(data, "the data directory");
  return {
    ...checked,
    message: withoutPath(message),
    remedy: remedy === null ? null : withoutPath(remedy),
  };
}

/** A request during a running check gets the result of that check. */
const running = perRealm(() => new Map<string, Promise<CheckResult[]>>());

export const getDoctor = endpoint({
  summary: "Check the health of the server, or of one of its organizations",
  tag: "Organization",
  params: { only: optional(text), quick: defaulted(bool, true) },
  answer: Type.Object({
    state: choice(...STATES),
    checks: list(
      Type.Object({
        id: Type.String(),
        state: choice(...STATES),
        message: Type.String(),
        remedy: nullable(Type.String()),
        is_repaired: Type.Boolean(),
      }),
    ),
  }),
  run: async ({ realm }, { only: areaNames = "", quick }) => {
    const areas = areaNames.split(",").flatMap((item) => item.trim() || []);
    if (!areas.every(isArea)) throw invalidValue("only");
    const checked = await runAreaChecks(realm, areas, quick);
    return { state: worstOf(checked), checks: checked };
  },
});

const HOLD_SECONDS = 60;

async function runAreaChecks(
  realm: Realm,
  areas: Area[],
  is_quick: boolean,
): Promise<CheckResult[]> {
  const requested = running(realm);
  const key = `${[...areas].sort().join()} ${is_quick}`;
  let checking = requested.get(key);
  if (!checking) {
    const checkOptions = { is_serving: true, is_quick, is_deep: false, hold_seconds: HOLD_SECONDS };
    const options = {
      only: areas,
      fix: false,
      mend: false,
      is_own: isMultiTenant(realm.config),
      ...checkOptions,
    };
    checking = examine(realm, options).finally(() => requested.delete(key));
    requested.set(key, checking);
  }
  return checking;
}
