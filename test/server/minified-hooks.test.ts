// Elysia analyses the source of hooks; in minified code it must still find those that wait.
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { routes } from "../../src/contract/routes.ts";
import { RequestObserver } from "../../src/server/insight/observe.ts";
import { openLog } from "../../src/server/log.ts";
import { RouteTable } from "../../src/server/routing.ts";

const ROOT = join(import.meta.dir, "../..");
const here = join(ROOT, "src/server/app.ts");

test("only routes with forms await, even when minified", async () => {
  // Packages are only found from a folder inside the repository.
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
    const { App } = (await import(path)) as typeof import("../../src/server/app.ts");
    const config = { url: "", rate_limits: true };
    const hosts = { realmAt: () => undefined, isRoot: () => false, realms: [] };
    const log = openLog({ log: "off" });
    const observer = new RequestObserver({}, log, undefined);
    const app = new App(hosts, config, log, observer, new RouteTable(routes));
    const elysia = app.elysia((response) => response, {});
    const waitsFor = (method: string) => {
      const route = elysia.routes.find((route) => route.method === method)!;
      return route.compile().constructor.name === "AsyncFunction";
    };
    expect(waitsFor("GET")).toBe(false);
    expect(waitsFor("ALL")).toBe(true);
    const { headers, query, body, cookie } = (elysia as unknown as { inference: object })
      .inference as Record<string, boolean>;
    expect([headers, query, body, cookie]).toEqual([false, false, false, false]);
  }
  rmSync(folder, { recursive: true });
});
