// Machines that fail on request: what fault.c can do, compiled when it is first wanted.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dir, "fault.c");
const COMPILER = Bun.which("gcc");

/** Without a compiler there are none, and their tests are skipped by name. */
export const canFault = process.platform === "linux" && COMPILER !== null;

export type Fault = "meta" | "hang" | "wall" | "steady";

export class Faults implements Disposable {
  private readonly directory = mkdtempSync(join(tmpdir(), "skein-faults-"));
  /** For a process that is to fail. */
  readonly env: Record<string, string>;

  constructor() {
    const library = join(this.directory, "fault.so");
    const flags = ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"];
    const compiled = Bun.spawnSync([COMPILER!, ...flags]);
    if (!compiled.success) throw new Error(compiled.stderr.toString());
    const told = join(this.directory, "told");
    mkdirSync(told);
    this.env = { FAULTS: told, LD_PRELOAD: library };
  }

  set(fault: Fault, number: number): void {
    writeFileSync(this.pathOf(fault), String(number));
  }

  clear(fault: Fault): void {
    rmSync(this.pathOf(fault), { force: true });
  }

  [Symbol.dispose](): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private pathOf(fault: Fault): string {
    return join(this.env["FAULTS"]!, fault);
  }
}
