// Removes parts of the message renderer that the client does not need before the server responds.
import type { BunPlugin } from "bun";
import { join } from "node:path";

const PLAIN = join(import.meta.dir, "../web/render");
/** Syntax highlighting, formulas and linkifiers are too large to load for a local echo. */
const LEFT_OUT = ["highlight", "math", "linkifiers"];

export const plainRenderer: BunPlugin = {
  name: "plain renderer",
  setup(build) {
    build.onResolve(
      { filter: /^\.\.?\/(highlight|math|linkifiers)\.ts$/ },
      ({ path, importer }) => {
        const name = LEFT_OUT.find((one) => path.endsWith(`/${one}.ts`))!;
        if (!/[\\/]src[\\/]text[\\/]/.test(importer)) return undefined;
        return { path: join(PLAIN, `plain-${name}.ts`) };
      },
    );
  },
};
