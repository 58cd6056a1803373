// `skein doctor`: checks everything that a server depends on, and suggests fixes.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Config, DEFAULT_DATA } from "../../contract/config.ts";
import { HOLD_SECONDS_MAX } from "../../features/doctor/nonce.ts";
import {
  AREAS,
  type Area,
  type Checked,
  isArea,
  STATES,
  worstOf,
} from "../../features/doctor/rules.ts";
import { carryOut, isHeld } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { settingsHere } from "./settings-here.ts";
import { ofClosed } from "./closed.ts";
import { ofUnit } from "./unit.ts";

export const doctor = command({
  about: "checks the server, and says how to fix what it finds",
  examples: [
    "skein doctor --data /var/lib/skein",
    "skein doctor --only network,mail --json",
    "skein doctor --fix",
    "skein doctor --only database --mend",
  ],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    only: { value: "AREA,…", about: `only these: ${AREAS.join(", ")}` },
    fix: { about: "mends what can be mended without harm: modes, leftovers, counters, indexes" },
    deep: { about: "reads all files too, and compares the search index with the messages" },
    mend: {
      about:
        "looks as --deep and mends more: the search index; damaged rows and files are set aside",
    },
    quick: { about: "leaves out what takes a minute: the walk over all data, the held poll" },
    hold: { value: "SECONDS", default: "60", about: "for how long a poll is held, to try a proxy" },
    json: { about: "prints a line of JSON for each check" },
  },
  notes: `It asks the server that runs on the directory, or else looks at its files. It ends with 0
where all is well, 1 where something is to be seen to, 2 where something is broken. Nobody is
called but the hosts that the settings name.`,
  async run(flags, asked) {
    const data = resolve(flags.data);
    const only = areasIn(flags.only);
    const { fix, mend, quick } = flags;
    const is_deep = flags.deep || mend;
    if (is_deep && quick) throw new UsageError("--quick leaves out what --deep and --mend look at");
    const how = { is_quick: quick, is_deep, hold_seconds: secondsIn(flags.hold) };
    const wish = { only, fix, mend, ...how };
    const checked = await examined(data, wish, String(asked.values["config"] ?? "") || undefined);
    for (const one of checked) console.log(flags.json ? JSON.stringify(one) : linesOf(one));
    const worst = worstOf(checked);
    if (!flags.json) console.log(summary(checked));
    return STATES.indexOf(worst);
  },
});

type Wish = Parameters<typeof carryOut<"doctor">>[2];

/** Data that cannot be opened is checked from outside. */
async function examined(data: string, wish: Wish, file: string | undefined): Promise<Checked[]> {
  if (!existsSync(data)) throw new CommandError(`there is no directory ${data}`);
  const unit = ofUnit(wish.only);
  if (existsSync(join(data, "data.mdb")) && isHeld(data)) {
    return [...(await carryOut(data, "doctor", wish)), ...unit];
  }
  const closed = await ofClosed(data, wish);
  if (closed) return [...closed, ...unit];
  const { config, trouble } = await settingsHere(file);
  const besides: Partial<Config> = config ? { ...config, data, log: "off" } : {};
  return [...(await carryOut(data, "doctor", wish, besides)), ...trouble, ...unit];
}

function areasIn(text: string | undefined): Area[] {
  const areas = (text ?? "").split(",").flatMap((one) => one.trim() || []);
  const strange = areas.find((area) => !isArea(area));
  if (strange !== undefined) {
    throw new UsageError(`there is no area ${strange}; there are ${AREAS.join(", ")}`);
  }
  return areas.filter(isArea);
}

function secondsIn(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,3}$/.test(text) && seconds <= HOLD_SECONDS_MAX) return seconds;
  throw new UsageError(`--hold is a number of seconds up to ${HOLD_SECONDS_MAX}, such as 60`);
}

const SIGNS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

function linesOf({ id, state, says, remedy, is_mended }: Checked): string {
  const mended = is_mended ? " (mended)" : "";
  const line = `${SIGNS[state]}  ${id.padEnd(24)}  ${says}${mended}`;
  return remedy === null || state === "ok" ? line : `${line}\n${" ".repeat(32)}→ ${remedy}`;
}

function summary(checked: readonly Checked[]): string {
  const count = (state: string) => checked.filter((one) => one.state === state).length;
  const [bad, grave] = [count("warn"), count("fail")];
  if (bad + grave === 0) return `All ${checked.length} checks are well.`;
  return `Of ${checked.length} checks ${grave} fail, and ${bad} are to be seen to.`;
}
