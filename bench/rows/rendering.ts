// Rendering: typical messages, and the slowest ones that the fuzzer generates.
import { render, RenderTooLarge } from "../../src/text/markdown/render.ts";
import { context, FRAGMENTS } from "../../test/text/markdown-fragments.ts";
import { renderContext } from "../../test/text/markdown-fixture.ts";
import { cpuOf } from "../cpu.ts";
import { TEXTS } from "../fill.ts";
import { median } from "../ratio.ts";
import { type Line, lineWithin } from "../row.ts";

const ROUNDS = 9;
const RENDERED = 1_000;
const WARM_UP = 3_000;
const CONTENT_MAX = 10_000;
/** Separators between repeated fragments. */
const SEPARATORS = ["", "a", " ", "\n"];
/** Number of the slowest ones that are measured again without warm-up costs. */
const SLOWEST = 8;
const MIXED = 2_000;
const SEED = 20_261_121;

export function rendering(): Promise<Line[]> {
  return Promise.resolve([typicalLine(), worstLine()]);
}

function typicalLine(): Line {
  const context = renderContext();
  const renderTurn = (count: number) => {
    const before = cpuOf(process.pid);
    for (let i = 0; i < count; i++) render(TEXTS[i % TEXTS.length]!, context);
    return (cpuOf(process.pid) - before) / count;
  };
  renderTurn(WARM_UP);
  const durations = Array.from({ length: ROUNDS }, () => renderTurn(RENDERED));
  const label = "rendering a typical message, CPU";
  return lineWithin({ label, goal: 0.15, unit: "ms" }, median(durations), durations);
}

function worstLine(): Line {
  const sources = [...repeatedTexts(), ...mixedTexts()].map((source) => ({
    source,
    ms: cpuOfRender(source),
  }));
  sources.sort((a, b) => b.ms - a.ms);
  const second = sources.slice(0, SLOWEST).map(({ source }) => {
    return median(Array.from({ length: ROUNDS }, () => cpuOfRender(source)));
  });
  const label = "rendering the worst 10,000 characters of the fuzzer, CPU";
  return lineWithin({ label, goal: 50, unit: "ms" }, Math.max(...second), second);
}

/** For content that is rejected, the time until the error. */
function cpuOfRender(source: string): number {
  const before = cpuOf(process.pid);
  try {
    render(source, context);
  } catch (error) {
    if (!(error instanceof RenderTooLarge)) throw error;
  }
  return cpuOf(process.pid) - before;
}

function repeatedTexts(): string[] {
  const pieces = FRAGMENTS.flatMap((piece) => SEPARATORS.map((other) => piece + other));
  return pieces.map((piece) => piece.repeat(CONTENT_MAX).slice(0, CONTENT_MAX));
}

/** Few fragments repeated, and many fragments in random order. */
function mixedTexts(): string[] {
  let state = SEED;
  const piece = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return FRAGMENTS[Math.floor((state / 2 ** 32) * FRAGMENTS.length)]!;
  };
  return Array.from({ length: MIXED }, (_, index) => {
    const length = index % 10 === 0 ? CONTENT_MAX : 2 + (index % 5);
    const pieces = Array.from({ length }, piece).join("");
    return pieces.repeat(Math.ceil(CONTENT_MAX / pieces.length)).slice(0, CONTENT_MAX);
  });
}
