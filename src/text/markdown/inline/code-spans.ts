// Parses inline code: text between backtick runs of equal length.
import { element, literal } from "../tree.ts";
import type { Passage } from "./patterns.ts";

export function codeSpans(text: string, context: Passage): string {
  if (!text.includes("`")) return text;
  const runs = runsOf(text);
  const runsByLength = new Map<number, Run[]>();
  for (const run of runs.toReversed()) {
    const sameLength = runsByLength.get(run.length);
    if (sameLength === undefined) runsByLength.set(run.length, [run]);
    else sameLength.push(run);
  }

  let out = "";
  let start = 0;
  for (const run of runs) {
    if (run.position < start) continue;
    const closingRun = closerOf(run, runsByLength);
    if (closingRun === undefined) continue;
    const inner = text.slice(run.position + closingRun.length, closingRun.closer.position);
    out += text.slice(start, run.position);
    out += context.placeholderFor(element("code", {}, [literal(inner)]));
    start = closingRun.closer.position + closingRun.closer.length;
  }
  return out + text.slice(start);
}

const BACKTICK = 96;

interface Run {
  position: number;
  length: number;
}

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (let end = 0, index = text.indexOf("`"); index !== -1; index = text.indexOf("`", end)) {
    end = index + 1;
    while (text.charCodeAt(end) === BACKTICK) end++;
    runs.push({ position: index, length: end - index });
  }
  return runs;
}

/** A run without a closing run may still open with fewer backticks. */
function closerOf(run: Run, runsByLength: ReadonlyMap<number, Run[]>) {
  for (let length = run.length; length > 0; length--) {
    const sameLength = runsByLength.get(length);
    if (sameLength === undefined) continue;
    // The last item is the first in the text; earlier positions are never needed again.
    while (sameLength.length > 0 && sameLength.at(-1)!.position <= run.position) sameLength.pop();
    const closingRun = sameLength.at(-1);
    if (closingRun !== undefined) return { length, closer: closingRun };
  }
  return undefined;
}
