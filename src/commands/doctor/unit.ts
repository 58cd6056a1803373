// Checks whether systemd runs the server with the unit that this version would write.
import type { Area, CheckResult } from "../../features/doctor/rules.ts";
import { unitOf } from "../systemd/unit.ts";
import { unitFile } from "../systemd/unit-file.ts";

/** Empty if systemd does not know the server. */
export function ofUnit(areas: readonly Area[]): CheckResult[] {
  if (areas.length > 0 && !areas.includes("operations")) return [];
  const unit = unitFile();
  if (unit === undefined) return [];
  const { path, text } = unit;
  const [, executable = ""] = /^ExecStart=(\S+)/m.exec(text) ?? [];
  const id = "operations.unit";
  if (text === unitOf({ executable })) {
    const text = "The systemd unit matches this version of Skein.";
    return [{ id, state: "ok", message: text, remedy: null, is_repaired: false }];
  }
  const message = `${path} differs from the systemd unit of this version.`;
  const remedy = `compare it: skein service print --executable ${executable} | diff ${path} -`;
  return [{ id, state: "warn", message, remedy, is_repaired: false }];
}
