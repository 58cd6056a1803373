// Checks the server's responses against the contract: missing, mistyped or unknown fields.
import Type, { type TObject, type TSchema } from "typebox";
import type { ErrorCode } from "../../src/contract/errors/general.ts";
import { routes } from "../../src/contract/routes.ts";
import { list } from "../../src/contract/shapes/value-types.ts";
import { GENERAL, methodRefusedShape, refusalShape } from "../../src/contract/shapes/refusals.ts";
import { eventShapes } from "../../src/contract/shapes/events.ts";
import type { Route } from "../../src/server/routing.ts";
import { faultsOf } from "./schema-match.ts";
import { brokenBy } from "./event-rules.ts";

type JsonObject = Record<string, unknown>;

const LISTED_FAULTS_MAX = 20;

const SUCCESS = {
  result: Type.Literal("success"),
  msg: Type.Literal(""),
  ignored_parameters_unsupported: Type.Optional(list(Type.String())),
};

/** The schema of a whole response, including `result` and `msg`. */
export const withSuccessFields = (response: TSchema): TObject =>
  Type.Object({ ...SUCCESS, ...(response as TObject).properties });

/** Throws if a response of the API does not match the contract. */
export function checkAnswer(line: string, body: JsonObject): void {
  const [method, path] = line.split(" ") as [string, string];
  if (path.startsWith("//")) return;
  const faults = faultsOfAnswer(method, path.replace(/\?.*/, ""), body);
  const events = line === "GET /events" ? (body["events"] as JsonObject[] | undefined) : undefined;
  for (const event of events ?? []) faults.push(...faultsOfEvent(event));
  if (faults.length === 0) return;
  const faultList = [...new Set(faults)].slice(0, LISTED_FAULTS_MAX).join("\n");
  throw new Error(`what is told by ${line} is not as the contract has it:\n${faultList}`);
}

/** Returns the faults of a response; empty for paths without a schema. */
export function faultsOfAnswer(method: string, path: string, body: JsonObject): string[] {
  const row = rows.find(({ pattern }) => pattern.test(`${method} ${path}`));
  if (body["result"] === "error") {
    return [...faultsOfRefusal(body), ...undeclaredErrors(row?.route, body["code"] as ErrorCode)];
  }
  if (row?.schema === undefined) return [];
  return faultsOf(row.schema, body).map((fault) => `${row.row} ${fault}`);
}

/** Returns a line if neither the endpoint nor the list of general errors declares the code. */
function undeclaredErrors(route: Route | undefined, code: ErrorCode | undefined): string[] {
  if (route === undefined || code === undefined || GENERAL.includes(code)) return [];
  return route.endpoint.refuses?.includes(code)
    ? []
    : [`${route.method} ${route.path} does not declare ${code}`];
}

function faultsOfRefusal(body: JsonObject): string[] {
  if ("allowed_methods" in body) return faultsOf(methodRefusedShape, body);
  const code = String(body["code"]) as ErrorCode;
  return faultsOf(refusalShape(code), body).map((fault) => `${code} ${fault}`);
}

function faultsOfEvent(event: JsonObject): string[] {
  const { type, op, id, ...rest } = event;
  const kind = op === undefined ? String(type) : `${String(type)}/${String(op)}`;
  if (!Object.hasOwn(eventShapes, kind)) return [`${kind} is unknown`];
  return [
    ...faultsOf(Type.Integer(), id, "id"),
    ...faultsOf(eventShapes[kind as keyof typeof eventShapes], rest).map(
      (item) => `${kind} ${item}`,
    ),
    ...brokenBy(kind, event).map((rule) => `${kind} breaks a law: ${rule}`),
  ];
}

/** Rows of the API with a response schema; those with fewer path parameters come first. */
const rows = routes
  .filter(({ path }) => !path.startsWith("root:"))
  .map((route) => {
    const { method, path, endpoint } = route;
    const { answer: response } = endpoint;
    const row = `${method} ${path}`;
    const text = row.replace(/\{\w+\*\}/g, ".+").replace(/\{\w+\}/g, "[^/]+");
    const schema = response && withSuccessFields(response);
    return { row, route, schema, pattern: new RegExp(`^${text}$`), holes: row.split("{").length };
  })
  .sort((a, b) => a.holes - b.holes);
