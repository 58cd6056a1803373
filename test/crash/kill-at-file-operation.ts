/** Preloaded module that kills the process before or after one of its file operations. */
import { plugin } from "bun";
import * as real from "node:fs";

const index = Number(process.env["DEADLY_AT"] ?? "-1");
let step = 0;

function countOperation(): void {
  if (step++ === index) process.kill(process.pid, "SIGKILL");
}

// oxlint-disable-next-line no-explicit-any -- each as it is declared where it is
function withKillPoints<F extends (...args: any[]) => any>(action: F) {
  return (...args: Parameters<F>): ReturnType<F> => {
    countOperation();
    const value = action(...args) as ReturnType<F>;
    countOperation();
    return value;
  };
}

const NAMES = [
  ...["copyFileSync", "fsyncSync", "linkSync", "mkdirSync", "renameSync", "rmSync"],
] as (keyof typeof real)[];
const watched = NAMES.map((name) => [name, withKillPoints(real[name] as () => unknown)]);

plugin({
  name: "deadly",
  setup(build) {
    build.module("deadly-fs", () => {
      return { loader: "object", exports: { ...real, ...Object.fromEntries(watched) } };
    });
    build.onLoad({ filter: /\/src\/(store|commands)\/.*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      return { loader: "ts", contents: text.replaceAll('from "node:fs";', 'from "deadly-fs";') };
    });
  },
});

process.on("exit", () => process.stderr.write(`steps: ${step}\n`));
