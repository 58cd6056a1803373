// Data directories for doctor tests: each is a copy of one sample organization.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configFor } from "../../src/commands/control.ts";
import type { CheckResult } from "../../src/features/doctor/rules.ts";
import type { Writer } from "../../src/realm.ts";
import { openRunning } from "../../src/running.ts";
import { Commands } from "./commands.ts";
import { type CommandResult, linesOf } from "./skein.ts";

export const OLGA = "olga@example.com";

export class DoctorFixture {
  readonly commands = new Commands();
  readonly folder = mkdtempSync(join(tmpdir(), "skein-doctor-"));
  readonly sample = join(this.folder, "sample");

  /** Creates the sample and returns the output of its command. */
  async initialize(): Promise<CommandResult> {
    const owner = ["--owner", OLGA, "--full-name", "Olga Owner", "--json"];
    const requests = ["init", "--name", "Town", ...owner, "--data", this.sample];
    const created = await this.commands.run(requests);
    if (created.code !== 0) throw new Error(created.err);
    return created;
  }

  /** Copies the sample to a directory of this name. */
  pathOf(name: string): string {
    const data = join(this.folder, name);
    cpSync(this.sample, data, { recursive: true });
    return data;
  }

  /** Returns the doctor's findings by check. */
  async examine(data: string, ...args: string[]): Promise<Map<string, CheckResult>> {
    const result = await this.commands.run(["doctor", "--data", data, "--json", ...args]);
    if (result.out === "") throw new Error(result.err);
    const all = linesOf(result) as unknown as CheckResult[];
    return new Map(all.map((checked) => [checked.id, checked]));
  }

  async close(): Promise<void> {
    await this.commands.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function changeData(data: string, change: (tx: Writer) => void): Promise<void> {
  const realm = await openRunning(configFor(data));
  await realm.write(change);
  await realm.close();
}
