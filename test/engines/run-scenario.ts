// Runs the scenario in another browser, repeatedly in a long run.
import { expect, test } from "bun:test";
import type { Engine } from "./engine.ts";
import { runScenario } from "./scenario.ts";

interface ScenarioOptions {
  name: string;
  /** Debian packages that contain the browser. */
  packages: string;
  /** Number of runs; the normal check has none. */
  days: number;
  open: () => Promise<Engine | undefined>;
}

export function runScenarioIn({ name, packages, days, open }: ScenarioOptions): void {
  test.skipIf(days === 0)(`all steps of the user scenario succeed in ${name}`, async () => {
    const engine = await open();
    if (!engine) throw new Error(`there is no ${name} here: apt-get install ${packages}`);
    try {
      expect(engine.name).toContain(name);
      console.info(`${engine.name} is told the story`);
      for (let day = 0; day < days; day += 1) await runScenario(engine);
    } finally {
      await engine.end();
    }
  });
}
