// Holds what a server tells against the protocol: no field missing, of another type, or unknown.
import { either, list, oneOf, strayings } from "../clients/shapes.ts";
import { ANSWERS } from "./answers.ts";
import { EVENTS } from "./events.ts";
import { brokenBy } from "./laws.ts";
import type { Fields } from "./objects.ts";
import { REFUSALS } from "./refusals.ts";

type Told = Record<string, unknown>;

const FAULTS_SHOWN = 20;

const SUCCESS: Fields = {
  result: oneOf("success"),
  msg: oneOf(""),
  "ignored_parameters_unsupported?": list("str"),
};
/** The one refusal that has no code: a path that exists, with another method. */
const NOT_HERE: Fields = { result: oneOf("error"), msg: "str", allowed_methods: list("str") };
const REFUSED: Fields = { result: oneOf("error"), msg: "str", code: "str" };

/** Throws for what a test asked of the API and was not told in the protocol's form. */
export function holdAnswer(line: string, body: Told): void {
  const [method, path] = line.split(" ") as [string, string];
  if (path.startsWith("//")) return;
  const faults = faultsOfAnswer(method, path.replace(/\?.*/, ""), body);
  const events = line === "GET /events" ? (body["events"] as Told[] | undefined) : undefined;
  for (const event of events ?? []) faults.push(...faultsOfEvent(event));
  if (faults.length === 0) return;
  const shown = [...new Set(faults)].slice(0, FAULTS_SHOWN).join("\n");
  throw new Error(`what is told by ${line} is not as test/protocol has it:\n${shown}`);
}

/** What is wrong with the answer to a request; nothing of a path that the protocol has not. */
export function faultsOfAnswer(method: string, path: string, body: Told): string[] {
  if (body["result"] === "error") return faultsOfRefusal(body);
  const row = rowOf(method, path);
  const shape = row === undefined ? undefined : ANSWERS[row];
  if (shape === undefined) return [];
  return strayings({ ...SUCCESS, ...shape }, body).map((fault) => `${row} ${fault}`);
}

export function faultsOfRefusal(body: Told): string[] {
  if ("allowed_methods" in body) return strayings(NOT_HERE, body);
  const code = String(body["code"]);
  const besides = REFUSALS[code] ?? [{}];
  const shapes = besides.map((fields) => ({ ...REFUSED, ...fields }));
  return strayings(either(...shapes), body).map((fault) => `${code} ${fault}`);
}

export function faultsOfEvent(event: Told): string[] {
  const { type, op, id, ...rest } = event;
  const kind = op === undefined ? String(type) : `${String(type)}/${String(op)}`;
  const shape = EVENTS[kind];
  if (shape === undefined) return [`${kind} is unknown`];
  return [
    ...strayings("int", id, "id"),
    ...strayings(shape, rest).map((fault) => `${kind} ${fault}`),
    ...brokenBy(kind, event).map((law) => `${kind} breaks a law: ${law}`),
  ];
}

const PATTERNS = Object.keys(ANSWERS)
  .map((row) => {
    const words = row.replace(/\{\w+\*\}/g, ".+").replace(/\{\w+\}/g, "[^/]+");
    return { row, pattern: new RegExp(`^${words}$`), holes: row.split("{").length };
  })
  .sort((a, b) => a.holes - b.holes);

const rowOf = (method: string, path: string) =>
  PATTERNS.find(({ pattern }) => pattern.test(`${method} ${path}`))?.row;
