/** Writes SHA256SUMS, which `sha256sum --check` reads. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const SUMS = "SHA256SUMS";

export function writeSums(folder: string, names: readonly string[]): void {
  const rows = names.toSorted().map((name) => {
    const digest = createHash("sha256")
      .update(readFileSync(join(folder, name)))
      .digest("hex");
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, SUMS), rows.join(""));
}
