// Leaves out of the client what the renderer of messages can do without until the server answers.
import type { BunPlugin } from "bun";
import { join } from "node:path";

const PLAIN = join(import.meta.dir, "../web/render");
/** Colours of code, formulas, an administrator's patterns: too large to fetch for an echo. */
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
