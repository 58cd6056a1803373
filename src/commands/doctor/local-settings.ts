// The settings that a server would use here, if none is running that could report its own.
import type { Config } from "../../contract/config.ts";
import type { CheckResult } from "../../features/doctor/rules.ts";
import { find } from "../config/sources.ts";
import { configOf } from "../config/read.ts";
import { type Settings, settings } from "../config/settings.ts";
import { readSettings } from "../config/toml.ts";
import { valuesOf } from "../flags.ts";

/** Reads the environment and the configuration file only. Errors in them become findings. */
export async function configForChecks(
  path: string | undefined,
): Promise<{ config?: Config; trouble: CheckResult[] }> {
  try {
    const file = readSettings(settings, path);
    const values = find(settings, { input: new Map(), environment: process.env, file });
    const { config } = await configOf(valuesOf(settings, values) as Settings);
    return { config, trouble: [] };
  } catch (error) {
    const text = `The settings are invalid: ${(error as Error).message}.`;
    const remedy = "correct them and run skein config check; the server would not start with them";
    const payload = { id: "operations.settings", state: "fail", message: text, remedy } as const;
    return { trouble: [{ ...payload, is_repaired: false }] };
  }
}
