// Whoever builds the same sources gets the same executable, so that anybody can check a release.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countOf } from "./long.ts";

const BUILD = join(import.meta.dir, "../build.ts");
const ZONES = ["UTC", "Asia/Tokyo", "America/St_Johns"];

test.skipIf(countOf("builds") === 0)("each build of the same sources is the same", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skein-builds-"));
  try {
    const digests: string[] = [];
    for (let at = 0; at < countOf("builds"); at += 1) {
      const outfile = join(folder, `place-${at}`, `name-${at}`);
      const source = `import { buildExecutable } from ${JSON.stringify(BUILD)};
        await buildExecutable(${JSON.stringify(outfile)});`;
      const build = Bun.spawn([process.execPath, "-e", source], {
        stdio: ["ignore", "inherit", "inherit"],
        env: { ...process.env, TZ: ZONES[at % ZONES.length]!, LC_ALL: at % 2 ? "C" : "C.UTF-8" },
      });
      expect(await build.exited).toBe(0);
      digests.push(createHash("sha256").update(readFileSync(outfile)).digest("hex"));
    }
    expect(new Set(digests).size).toBe(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
