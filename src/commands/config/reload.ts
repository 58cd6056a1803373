// Applies changed settings to a running server: all of them, or none.
import { BlockList } from "node:net";
import { type Config, LIVE_SETTINGS } from "../../contract/config.ts";
import type { Running } from "../../running.ts";
import type { ReloadOutcome } from "../control.ts";
import { type Input, type Flag, settingOf, UsageError } from "../flags.ts";
import { rewordFlags } from "./sources.ts";
import { configOf } from "./read.ts";
import { type Settings, settings } from "./settings.ts";

export class ConfigReloader {
  private last: Config;

  constructor(
    private readonly startInput: Input,
    private readonly running: Running,
    config: Config,
  ) {
    this.last = { ...config };
  }

  /** Throws if the settings are invalid; nothing is changed then. */
  async reload(): Promise<ReloadOutcome> {
    const { config, values } = await this.rereadConfig();
    const changedKeys = LIVE_SETTINGS.filter(
      (key) => printOf(config[key]) !== printOf(this.last[key]),
    );
    const needs_restart = Object.entries<Flag>(settings)
      .filter(([name, { live }]) => !live && values[name] !== this.startInput.values[name])
      .map(([name]) => settingOf(name));
    const certificate = this.running.reconfigure(config);
    this.last = config;
    return { applied: [...changedKeys], needs_restart, ...(certificate && { certificate }) };
  }

  private async rereadConfig() {
    const { values, findings } = this.startInput.reread();
    try {
      return { values, config: (await configOf(values as Settings)).config };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UsageError(rewordFlags(error.message, findings));
    }
  }
}

/** Returns the same text for equal values. */
function printOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, part) => (part instanceof BlockList ? part.rules : part));
}
