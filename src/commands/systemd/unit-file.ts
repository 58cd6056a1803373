// The systemd unit of the server on this machine.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const UNIT_PATHS = [
  "/etc/systemd/system/skein.service",
  "/usr/lib/systemd/system/skein.service",
  "/lib/systemd/system/skein.service",
];
/** `systemctl edit` and `service install --backup-to` write files there. */
const DROP_INS = "/etc/systemd/system/skein.service.d";

export interface UnitFile {
  readonly path: string;
  readonly text: string;
  /** The drop-in files, which take precedence over the unit. */
  readonly drop_ins: string;
}

/** undefined if systemd has no unit for the server. */
export function unitFile(): UnitFile | undefined {
  const path = UNIT_PATHS.find((path) => existsSync(path));
  if (path === undefined) return undefined;
  return { path, text: readFileSync(path, "utf8"), drop_ins: dropInsIn(DROP_INS) };
}

function dropInsIn(folder: string): string {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".conf"));
    return names
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\n");
  } catch {
    // The file does not exist, or this account cannot read it.
    return "";
  }
}

/** The data directory that the service uses. */
export const dataOfUnit = (unit: UnitFile): string | undefined =>
  lastMatch(unit, /^Environment="?SKEIN_DATA=([^\s"]+)"?\s*$/gm);

/** The account that runs the server. */
export const accountOfUnit = (unit: UnitFile): string | undefined =>
  lastMatch(unit, /^User=(\S+)\s*$/gm);

function lastMatch({ text, drop_ins }: UnitFile, pattern: RegExp): string | undefined {
  return [...`${text}\n${drop_ins}`.matchAll(pattern)].at(-1)?.[1];
}

interface Conflict {
  readonly text: string;
  readonly remedy: string;
}

/** The unit overrides the data directory in the settings file, if that sets one. */
export function dataConflict(
  unit: UnitFile,
  data: string | undefined,
  settings: string,
): Conflict | undefined {
  const unitData = dataOfUnit(unit);
  if (unitData === undefined || data === undefined) return undefined;
  if (resolve(unitData) === resolve(data)) return undefined;
  return {
    text:
      `The service uses the data directory ${unitData}, because its unit sets SKEIN_DATA, ` +
      `and ignores ${data} in ${settings}.`,
    remedy: "set both to the same directory; to change the unit, run systemctl edit skein",
  };
}
