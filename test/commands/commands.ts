// Runs many commands in one process, since starting a process for each would take most of the time.
import { join } from "node:path";
import { ProcessOutput } from "../process-output.ts";
import type { CommandResult } from "./skein.ts";

export class Commands {
  private readonly child = Bun.spawn([process.execPath, join(import.meta.dir, "run-many.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  private readonly printed = ProcessOutput.from(this.child.stdout);
  private count = 0;

  /** Runs commands one after another. */
  async run(args: readonly string[]): Promise<CommandResult> {
    const index = this.count++;
    void this.child.stdin.write(`${JSON.stringify(args)}\n`);
    await this.child.stdin.flush();
    const line = await this.printed.untilMatch((lines) => lines.split("\n")[index]);
    return JSON.parse(line) as CommandResult;
  }

  async stop(): Promise<void> {
    await this.child.stdin.end();
    await this.child.exited;
  }
}
