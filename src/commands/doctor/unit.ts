// Checks whether systemd runs the server with the unit and the data directory that are expected.
import type { Area, CheckResult } from "../../features/doctor/rules.ts";
import { settings } from "../config/settings.ts";
import { DEFAULT_FILE, readSettings } from "../config/toml.ts";
import { unitOf } from "../systemd/unit.ts";
import { dataConflict, type UnitFile, unitFile } from "../systemd/unit-file.ts";

/** Empty if systemd does not know the server. */
export function ofUnit(areas: readonly Area[]): CheckResult[] {
  if (areas.length > 0 && !areas.includes("operations")) return [];
  const unit = unitFile();
  return unit === undefined ? [] : [textOfUnit(unit), ...dataIn(unit)];
}

function textOfUnit({ path, text }: UnitFile): CheckResult {
  const [, executable = ""] = /^ExecStart=(\S+)/m.exec(text) ?? [];
  const id = "operations.unit";
  if (text === unitOf({ executable })) {
    const text = "The systemd unit matches this version of Skein.";
    return { id, state: "ok", message: text, remedy: null, is_repaired: false };
  }
  const message = `${path} differs from the systemd unit of this version.`;
  const remedy = `compare it: skein service print --executable ${executable} | diff ${path} -`;
  return { id, state: "warn", message, remedy, is_repaired: false };
}

/**
 * Warns if the settings file and the unit have different data directories: commands use the first,
 * the service uses the second.
 */
function dataIn(unit: UnitFile): CheckResult[] {
  const conflict = dataConflict(unit, dataInFile(), DEFAULT_FILE);
  if (conflict === undefined) return [];
  const { text, remedy } = conflict;
  return [{ id: "operations.data", state: "warn", message: text, remedy, is_repaired: false }];
}

function dataInFile(): string | undefined {
  try {
    const value = readSettings(settings, undefined).get("data")?.value;
    return value === undefined ? undefined : String(value);
  } catch {
    // If the settings file cannot be read, another check reports it.
    return undefined;
  }
}
