// `skein doctor`: checks everything that a server depends on, and suggests fixes.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, DEFAULT_DATA } from "../../contract/config.ts";
import { HOLD_SECONDS_MAX } from "../../features/doctor/nonce.ts";
import {
  AREAS,
  type Area,
  type CheckResult,
  isArea,
  STATES,
  worstOf,
} from "../../features/doctor/rules.ts";
import { executeCommand, isInUse } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { configForChecks } from "./local-settings.ts";
import { checkClosedData } from "./offline.ts";
import { ofUnit } from "./unit.ts";

export const doctor = command({
  description: "checks the server, and explains how to fix problems",
  examples: [
    "skein doctor --data /var/lib/skein",
    "skein doctor --only network,mail --json",
    "skein doctor --fix",
    "skein doctor --only database --mend",
  ],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    only: { value: "AREA,…", description: `check only these areas: ${AREAS.join(", ")}` },
    fix: {
      description: "repair what is safe to repair: file modes, leftover files, counters, indexes",
    },
    deep: { description: "also read all files, and compare the search index with the messages" },
    mend: {
      description:
        "like --deep, and also repair the search index and move damaged rows and files aside",
    },
    quick: {
      description: "skip the checks that take a minute: reading all data, and the long poll",
    },
    hold: {
      value: "SECONDS",
      default: "60",
      description: "duration of the long poll that tests a proxy",
    },
    json: { description: "print one JSON object per check" },
  },
  notes: `Checks the running server, or the files if none is running. Exits with 0 if all is
well, 1 for warnings, 2 for failures or if it cannot check. It contacts only hosts that the
settings name.`,
  failureExit: 2,
  async run(flags, input) {
    const data = resolve(flags.data);
    const areas = areasIn(flags.only);
    const { fix, mend: repair, quick } = flags;
    const is_deep = flags.deep || repair;
    if (is_deep && quick) throw new UsageError("--quick skips checks that --deep and --mend need");
    const checkOptions = { is_quick: quick, is_deep, hold_seconds: secondsIn(flags.hold) };
    const options = { only: areas, fix, mend: repair, ...checkOptions };
    const checked = await examined(
      data,
      options,
      String(input.values["config"] ?? "") || undefined,
    );
    for (const item of checked) console.log(flags.json ? JSON.stringify(item) : linesOf(item));
    const worst = worstOf(checked);
    if (!flags.json) console.log(summary(checked));
    return STATES.indexOf(worst);
  },
});

type DoctorOptions = Parameters<typeof executeCommand<"doctor">>[2];

/** Data that cannot be opened is checked from outside. */
async function examined(
  data: string,
  options: DoctorOptions,
  file: string | undefined,
): Promise<CheckResult[]> {
  if (!existsSync(data)) throw new CommandError(`there is no directory ${data}`);
  const unit = ofUnit(options.only);
  if (existsSync(join(data, "data.mdb")) && isInUse(data)) {
    return [...(await executeCommand(data, "doctor", options)), ...unit];
  }
  const offlineResults = await checkClosedData(data, options);
  if (offlineResults) return [...offlineResults, ...unit];
  const { config, trouble } = await configForChecks(file);
  const overrides: Partial<Config> = config ? { ...config, data, log: "off" } : {};
  return [...(await executeCommand(data, "doctor", options, overrides)), ...trouble, ...unit];
}

function areasIn(text: string | undefined): Area[] {
  const areas = (text ?? "").split(",").flatMap((item) => item.trim() || []);
  const unexpected = areas.find((area) => !isArea(area));
  if (unexpected !== undefined) {
    throw new UsageError(`unknown area ${unexpected}; the areas are ${AREAS.join(", ")}`);
  }
  return areas.filter(isArea);
}

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,3}$/.test(text) && seconds <= HOLD_SECONDS_MAX) return seconds;
  throw new UsageError(`--hold must be a number of seconds up to ${HOLD_SECONDS_MAX}, such as 60`);
}

const SYMBOLS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

function linesOf({ id, state, message: text, remedy, is_repaired }: CheckResult): string {
  const suffix = is_repaired ? " (repaired)" : "";
  const line = `${SYMBOLS[state]}  ${id.padEnd(24)}  ${text}${suffix}`;
  return remedy === null || state === "ok" ? line : `${line}\n${" ".repeat(32)}→ ${remedy}`;
}

function summary(checked: readonly CheckResult[]): string {
  const count = (state: string) => checked.filter((item) => item.state === state).length;
  const [bad, grave] = [count("warn"), count("fail")];
  if (bad + grave === 0) return `All ${checked.length} checks passed.`;
  return `${checked.length} checks: ${grave} failed, ${bad} warnings.`;
}
