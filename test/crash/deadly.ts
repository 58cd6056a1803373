/** Loaded before anything else: what changes files is killed at a step, which is counted. */
import { plugin } from "bun";
import { join } from "node:path";

const OWN = JSON.stringify(join(import.meta.dir, "deadly-fs.ts"));

plugin({
  name: "deadly",
  setup(build) {
    build.onLoad({ filter: /\/src\/(store|commands)\/.*\.ts$/ }, async ({ path }) => {
      const text = await Bun.file(path).text();
      return { loader: "ts", contents: text.replaceAll('from "node:fs";', `from ${OWN};`) };
    });
  },
});
