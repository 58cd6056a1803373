// The systemd unit of the server on this machine.
import { existsSync, readFileSync } from "node:fs";

const UNIT_PATHS = [
  "/etc/systemd/system/skein.service",
  "/usr/lib/systemd/system/skein.service",
  "/lib/systemd/system/skein.service",
];

interface UnitFile {
  readonly path: string;
  readonly text: string;
}

/** undefined if systemd has no unit for the server. */
export function unitFile(): UnitFile | undefined {
  const path = UNIT_PATHS.find((path) => existsSync(path));
  return path === undefined ? undefined : { path, text: readFileSync(path, "utf8") };
}

/** The data directory in the unit. */
export function dataOfUnit({ text }: UnitFile): string | undefined {
  return /^Environment=SKEIN_DATA=(\S+)$/m.exec(text)?.[1];
}

/** The account that runs the server. */
export function accountOfUnit({ text }: UnitFile): string | undefined {
  return /^User=(\S+)$/m.exec(text)?.[1];
}
