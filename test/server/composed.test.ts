// Elysia composes handlers out of the source of hooks: as we minify it, it must see what waits.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../src/contract/routes.ts";
import { Seen } from "../../src/server/insight/seen.ts";
import { openLog } from "../../src/server/log.ts";
import { shapesOf } from "../../src/server/routing.ts";

const ROOT = join(import.meta.dir, "../..");
const here = join(ROOT, "src/server/app.ts");

test("what only looks waits for nothing, what brings a form does, minified too", async () => {
  // From there, packages are found.
  mkdirSync(join(ROOT, "dist"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, "dist/composed-"));
  const { outputs } = await Bun.build({
    entrypoints: [here],
    outdir: folder,
    target: "bun",
    packages: "external",
    minify: { whitespace: true, syntax: true },
  });
  for (const path of [here, outputs[0]!.path]) {
    const { Served } = (await import(path)) as typeof import("../../src/server/app.ts");
    const config = { url: "", rate_limits: true };
    const hosts = { realmAt: () => undefined, isRoot: () => false, realms: [] };
    const log = openLog({ log: "off" });
    const seen = new Seen({}, log, undefined);
    const served = new Served(hosts, config, log, seen, shapesOf(routes));
    const app = served.app((told) => told, {});
    const waits = (method: string, path: string) => {
      const route = app.routes.find((one) => one.method === method && one.path === path)!;
      return route.compile().constructor.name === "AsyncFunction";
    };
    expect(waits("GET", "/api/v1/users/me")).toBe(false);
    expect(waits("GET", "/api/v1/openapi.json")).toBe(false);
    expect(waits("GET", "/livez")).toBe(false);
    expect(waits("POST", "/api/v1/messages")).toBe(true);
    expect(waits("ALL", "/login/")).toBe(true);
    const { headers, query, body, cookie } = (app as unknown as { inference: object })
      .inference as Record<string, boolean>;
    expect([headers, query, body, cookie]).toEqual([false, false, false, false]);
  }
  rmSync(folder, { recursive: true });
});
