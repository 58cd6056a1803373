// The unit that systemd has of the server on this machine.
import { existsSync, readFileSync } from "node:fs";

const PLACES = [
  "/etc/systemd/system/skein.service",
  "/usr/lib/systemd/system/skein.service",
  "/lib/systemd/system/skein.service",
];

export interface UnitFile {
  readonly path: string;
  readonly text: string;
}

/** undefined: systemd does not know the server. */
export function unitFile(): UnitFile | undefined {
  const path = PLACES.find((place) => existsSync(place));
  return path === undefined ? undefined : { path, text: readFileSync(path, "utf8") };
}

/** The data directory that the unit names. */
export function dataOfUnit({ text }: UnitFile): string | undefined {
  return /^Environment=SKEIN_DATA=(\S+)$/m.exec(text)?.[1];
}
