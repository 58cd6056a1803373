// Removes parts of the message renderer and of the sanitizer that the client does not need.
import type { BunPlugin } from "bun";
import { join } from "node:path";

const PLAIN = join(import.meta.dir, "../web/render");
/** Syntax highlighting, formulas and linkifiers are too large to load for a local echo. */
const OMITTED_CLASSES = ["highlight", "math", "linkifiers"];

export const plainRenderer: BunPlugin = {
  name: "plain renderer",
  setup(build) {
    build.onResolve(
      { filter: /^\.\.?\/(highlight|math|linkifiers)\.ts$/ },
      ({ path, importer }) => {
        const name = OMITTED_CLASSES.find((item) => path.endsWith(`/${item}.ts`))!;
        if (!/[\\/]src[\\/]text[\\/]/.test(importer)) return undefined;
        return { path: join(PLAIN, `plain-${name}.ts`) };
      },
    );
  },
};

/** Lists of DOMPurify that are only what it allows by default. */
const DEFAULTS = ["html$1", "html", "svg", "mathMl", "xml"];

/**
 * The client passes its own lists. A call without `ALLOWED_TAGS` and `ALLOWED_ATTR` then allows
 * less, never more.
 */
export const sanitizer: BunPlugin = {
  name: "sanitizer",
  setup(build) {
    build.onLoad({ filter: /[\\/]dompurify[\\/]dist[\\/]purify\.es\.mjs$/ }, async ({ path }) => {
      return { loader: "js", contents: withoutDefaults(await Bun.file(path).text()) };
    });
  },
};

function withoutDefaults(source: string): string {
  const unused = new Set(DEFAULTS);
  const contents = source.replace(/^const ([\w$]+) = freeze\(\[[^\]]*\]\);/gm, (list, name) =>
    unused.delete(name) ? `const ${name} = freeze([]);` : list,
  );
  if (unused.size > 0) throw new Error(`DOMPurify has no list ${[...unused].join(", ")}`);
  return contents;
}
