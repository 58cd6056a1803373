// Many commands in one process of their own, where a start for each would take most of the time.
import { join } from "node:path";
import { Printed } from "../printed.ts";
import type { Ended } from "./skein.ts";

export class Commands {
  private readonly child = Bun.spawn([process.execPath, join(import.meta.dir, "many.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  private readonly printed = Printed.from(this.child.stdout);
  private count = 0;

  /** One after the other. */
  async run(args: readonly string[]): Promise<Ended> {
    const nth = this.count++;
    void this.child.stdin.write(`${JSON.stringify(args)}\n`);
    await this.child.stdin.flush();
    const line = await this.printed.until((lines) => lines.split("\n")[nth]);
    return JSON.parse(line) as Ended;
  }

  async stop(): Promise<void> {
    await this.child.stdin.end();
    await this.child.exited;
  }
}
