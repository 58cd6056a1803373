// Fault injection: provides what fault.c can do, compiled at first use.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SOURCE = join(import.meta.dir, "fault.c");
const COMPILER = Bun.which("gcc");

/** Fault injection needs a compiler; without one its tests are skipped by name. */
export const canFault = process.platform === "linux" && COMPILER !== null;

type Fault = "meta" | "hang" | "wall" | "steady";

export class Faults implements Disposable {
  private readonly directory = mkdtempSync(join(tmpdir(), "skein-faults-"));
  /** Environment of a process that is to fail. */
  readonly env: Record<string, string>;

  constructor() {
    const library = join(this.directory, "fault.so");
    const flags = ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"];
    const compiled = Bun.spawnSync([COMPILER!, ...flags]);
    if (!compiled.success) throw new Error(compiled.stderr.toString());
    const received = join(this.directory, "told");
    mkdirSync(received);
    this.env = { FAULTS: received, LD_PRELOAD: library };
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
