// Lists the parts of the runtime, from its own documentation.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const LIST = join(import.meta.dir, "../../node_modules/bun-types/docs/project/license.mdx");

export interface Part {
  name: string;
  license: string;
  url: string;
}

/** What is linked into it, and the packages that it has inside. */
export function runtimeParts(): Part[] {
  const rows = readFileSync(LIST, "utf8").matchAll(/^\| (.*\]\(.*?) +\| (.*?) +\|$/gm);
  return [...rows].map(([, what = "", license = ""]) => {
    const url = /\]\((\S+?)\)/.exec(what)![1]!;
    return { name: words(what), license: words(license), url };
  });
}

/** Without marks and addresses. */
function words(cell: string): string {
  return cell.replace(/\[(.*?)\]\(.*?\)/g, "$1").replaceAll("`", "");
}
