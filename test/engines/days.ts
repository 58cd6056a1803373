// Tells a browser of another engine the story, as often as a long run wants.
import { expect, test } from "bun:test";
import type { Engine } from "./engine.ts";
import { tellStory } from "./story.ts";

interface Asked {
  name: string;
  /** What has it, in Debian. */
  packages: string;
  /** How often; the check does without. */
  days: number;
  open: () => Promise<Engine | undefined>;
}

export function daysIn({ name, packages, days, open }: Asked): void {
  test.skipIf(days === 0)(`Bo's day goes well in ${name}`, async () => {
    const engine = await open();
    if (!engine) throw new Error(`there is no ${name} here: apt-get install ${packages}`);
    try {
      expect(engine.name).toContain(name);
      console.info(`${engine.name} is told the story`);
      for (let day = 0; day < days; day += 1) await tellStory(engine);
    } finally {
      await engine.end();
    }
  });
}
