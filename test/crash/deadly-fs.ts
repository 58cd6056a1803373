/** The file system of a process that is killed at one of its steps: before or after one of these. */
import * as real from "node:fs";

// oxlint-disable-next-line no-barrel-file -- it stands in the place of the module
export * from "node:fs";

const at = Number(process.env["DEADLY_AT"] ?? "-1");
let step = 0;

function pass(): void {
  if (step++ === at) process.kill(process.pid, "SIGKILL");
}

// oxlint-disable-next-line no-explicit-any -- each as it is declared where it is
function deadly<F extends (...args: any[]) => any>(act: F): F {
  const around = (...args: Parameters<F>): ReturnType<F> => {
    pass();
    const value = act(...args) as ReturnType<F>;
    pass();
    return value;
  };
  return around as F;
}

export const copyFileSync = deadly(real.copyFileSync);
export const fsyncSync = deadly(real.fsyncSync);
export const linkSync = deadly(real.linkSync);
export const mkdirSync = deadly(real.mkdirSync);
export const renameSync = deadly(real.renameSync);
export const rmSync = deadly(real.rmSync);

process.on("exit", () => process.stderr.write(`steps: ${step}\n`));
