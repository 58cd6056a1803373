// Selects the browser tests that a change of the client can affect, the best first.
import { dirname } from "node:path";
import type { Recording } from "./executed.ts";
import type { Sources, SourceTree } from "./tree.ts";

type Tests = readonly string[];

/** A changed text: the catalogue, the key and the text before, as `changedTexts` writes them. */
const TEXT = /^src\/web\/words\/[\w-]+\.json#([\w-]+)#(.*)$/s;
/** Shorter parts of a text occur in tests by chance. */
const TEXT_MIN_LENGTH = 5;
/** Tests of what style sheets decide. */
const MEASURES = /boundingBox|getBoundingClientRect|getComputedStyle|elementFromPoint|screenshot/;
/** Worker scripts run outside of the pages, so no page records them. */
const WORKERS = "src/web/worker/";
const USES_WORKERS = /withWorkers\(|SharedWorker|serviceWorker/;

export interface Client {
  readonly tree: SourceTree;
  readonly recording: Recording;
  /** All tests that use a browser. */
  readonly browserTests: ReadonlySet<string>;
}

/** Lists of tests for a changed file; a sample takes from each list. */
export function listsFor(file: string, client: Client): readonly Tests[] {
  const { tree, recording } = client;
  const text = TEXT.exec(file);
  if (text) return listsForText(text[1]!, text[2]!, client);
  if (/\.tsx?$/.test(file)) return [testsExecuting(file, client)];
  // Style sheets and pictures affect the components in the same folder, or all of them.
  const folder = dirname(file);
  const siblings = [...tree.sources.keys()].filter(
    (path) => dirname(path) === folder && folder !== "src/web",
  );
  const lists = siblings.flatMap((path) => [recording.testsExecuting(path) ?? []]);
  const tests = lists.length > 0 ? mergeTests(lists) : recording.wholeClientTests();
  const isMeasuring = (test: string) => MEASURES.test(tree.sources.get(test) ?? "");
  return [tests.filter(isMeasuring), tests.filter((test) => !isMeasuring(test))];
}

/** The tests that contain the old text, and those that execute a file that contains the key. */
function listsForText(key: string, text: string, client: Client): readonly Tests[] {
  const { sources } = client.tree;
  const parts = text.split(/[{}#]/).map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), "");
  const containing = client.recording
    .wholeClientTests()
    .filter((test) => longest.length >= TEXT_MIN_LENGTH && sources.get(test)?.includes(longest));
  const users = [...sources.keys()].filter(
    (path) => path.startsWith("src/web/") && sources.get(path)!.includes(`"${key}"`),
  );
  const lists = users.map((path) => testsExecuting(path, client));
  return [containing, ...(users.length > 0 ? lists : [client.recording.wholeClientTests()])];
}

/**
 * Returns the tests that execute a file. A page executes a file that the recording does not know
 * only if it executes an importer. Constants of a module are used by its importers as well.
 */
function testsExecuting(file: string, { tree, recording }: Client): Tests {
  const visited = new Set([file]);
  const lists: Tests[] = [];
  for (const path of visited) {
    const executingTests = recording.testsExecuting(path);
    if (executingTests) lists.push(executingTests);
    if (executingTests && !(path === file && hasConstants(file, tree.sources))) continue;
    for (const importer of tree.importers.get(path) ?? []) visited.add(importer);
  }
  if (file.startsWith(WORKERS)) {
    const usesWorkers = (test: string) => USES_WORKERS.test(tree.sources.get(test) ?? "");
    lists.unshift(recording.wholeClientTests().filter(usesWorkers), recording.wholeClientTests());
  }
  return lists.length > 0 ? mergeTests(lists) : recording.wholeClientTests();
}

/** Whether the module exports values, which no function of it contains. */
function hasConstants(file: string, sources: Sources): boolean {
  return /^export const \w+[^=]* = (?!(?:async )?(?:\(|\w+ =>|<\w))/m.test(sources.get(file) ?? "");
}

/** Takes from each list in turn. */
function mergeTests(lists: readonly Tests[]): Tests {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  const tests = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  );
  return [...new Set(tests.flat())];
}

/** Returns an entry for each text of a catalogue that differs. */
export function changedTexts(path: string, before: string, after: string): string[] {
  const [old, now] = [before, after].map(
    (json) => new Map(Object.entries<string>(JSON.parse(json))),
  );
  const keys = [...new Set([...old!.keys(), ...now!.keys()])];
  return keys
    .filter((key) => old!.get(key) !== now!.get(key))
    .map((key) => `${path}#${key}#${old!.get(key) ?? ""}`);
}
