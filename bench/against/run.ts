// `bun run bench --against COMMIT [ROW…]`: measures this checkout and another commit alternately.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtBinary } from "../../test/built-executable.ts";
import { commitNow } from "../../test/measured.ts";
import { startBuilt } from "../processes.ts";
import { recordAgainst } from "../report.ts";
import { formatNumber } from "../row.ts";
import { type Plan, Datasets } from "../datasets.ts";
import { buildOf } from "./commit.ts";
import { mainRows, rows } from "./rows.ts";
import type { MeasuredRow, Build } from "./side.ts";

const HEAD = ["what", "ratio", "spread", "this build", "other build"];
const PLAN: Plan = {
  people: 1_000,
  channels: 100,
  subscribers: 10,
  messages: 11_000,
  unread: 10_000,
};

export async function runAgainst(revision: string, chosen: readonly string[]): Promise<void> {
  const executable = await builtBinary();
  const other = await buildOf(revision, PLAN);
  const folder = mkdtempSync(join(tmpdir(), "skein-against-"));
  const datasets = new Datasets(folder);
  const measured: MeasuredRow[] = [];
  try {
    for (const name of chosen.length > 0 ? chosen : mainRows) {
      const startedAt = performance.now();
      const candidate = { executable, dataset: datasets.copyOf(other.prepared) };
      const baseline = { ...other, dataset: datasets.copyOf(other.prepared) };
      await upgradeData(candidate);
      const rowResults = await rows[name]!(candidate, baseline);
      measured.push(...rowResults);
      for (const item of rowResults) console.log(cellsOf(item).join("  "));
      console.error(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
      datasets.clear();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  if (chosen.length === 0) {
    recordAgainst(
      `${commitNow()} against ${other.commit.slice(0, 8)}`,
      HEAD,
      measured.map(cellsOf),
    );
  }
}

/** Upgrades the data beforehand, so that the start does not include it. */
async function upgradeData({ executable, dataset }: Build): Promise<void> {
  await using _server = await startBuilt(executable, dataset.directory);
}

function cellsOf({
  label,
  unit,
  ratio: { ratio, low, high, candidate, baseline },
}: MeasuredRow): string[] {
  const spread = `${low.toFixed(2)} – ${high.toFixed(2)}`;
  const [own, others] = [candidate, baseline].map((value) => `${formatNumber(value)} ${unit}`);
  return [label, ratio.toFixed(2), spread, own!, others!];
}
