// Whether systemd runs the server by the unit that this version would write.
import { existsSync, readFileSync } from "node:fs";
import type { Area, Checked } from "../../features/doctor/rules.ts";
import { unitOf } from "../systemd/unit.ts";

const PLACES = ["/etc/systemd/system/skein.service", "/lib/systemd/system/skein.service"];

/** Nothing where systemd does not know the server. */
export function ofUnit(only: readonly Area[]): Checked[] {
  if (only.length > 0 && !only.includes("operations")) return [];
  const path = PLACES.find((place) => existsSync(place));
  if (path === undefined) return [];
  const text = readFileSync(path, "utf8");
  const [, executable = ""] = /^ExecStart=(\S+)/m.exec(text) ?? [];
  const id = "operations.unit";
  if (text === unitOf({ executable })) {
    const says = "systemd runs the server by this version's unit.";
    return [{ id, state: "ok", says, remedy: null, is_mended: false }];
  }
  const says = `${path} is not the unit that this version writes.`;
  const remedy = `compare it: skein service print --executable ${executable} | diff ${path} -`;
  return [{ id, state: "warn", says, remedy, is_mended: false }];
}
