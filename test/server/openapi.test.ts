/** The OpenAPI document that describes the routes. */
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { FEATURE_LEVEL } from "../../src/contract/names.ts";
import { parameters } from "../../src/contract/parameters.ts";
import { routes as real } from "../../src/contract/routes.ts";
import { VERSION } from "../../src/contract/version.ts";
import {
  bool,
  defaulted,
  endpoint,
  int,
  json,
  withAlias,
  nonNegativeInt,
  oneOf,
  optional,
  type Parameters,
  textOf,
} from "../../src/endpoint.ts";
import { signedIn } from "../../src/server/gate.ts";
import { exampleOf } from "../../src/server/openapi-schemas.ts";
import { openapiOf, parameterDescription } from "../../src/server/openapi.ts";
import { openapiRoute } from "../../src/server/plugins/openapi.ts";
import { addressOf, type Route } from "../../src/server/routing.ts";
import { open } from "./sample-server.ts";
import { routes as things } from "./sample-routes.ts";

const declared = endpoint({
  summary: "A thing",
  tag: "Server",
  params: {
    message_id: int,
    topic: optional(withAlias("subject", textOf({ max: 60 }))),
    op: oneOf("start", "stop"),
    to: json(Type.Array(Type.Integer())),
    quiet: defaulted(bool, false),
    limit: defaulted(nonNegativeInt, 5),
  },
  run: () => ({}),
});
const routes: Route[] = [
  { method: "PATCH", path: "/messages/{message_id}", gate: signedIn, endpoint: declared },
  { method: "GET", path: "/messages/{message_id}", gate: signedIn, endpoint: declared },
];
const all: Route[] = [...routes, openapiRoute(() => all)];

test("documents a form as a body with its JSON fields", () => {
  const { patch } = openapiOf(routes).paths["/api/v1/messages/{message_id}"] as never;
  const { content } = (patch as { requestBody: { content: Record<string, unknown> } }).requestBody;
  expect(patch).toMatchObject({
    operationId: "patch_api_v1_messages_message_id",
    security: [{ basic: [] }],
    parameters: [{ name: "message_id", in: "path", required: true, schema: { type: "integer" } }],
    requestBody: { required: true },
  });
  expect(content["application/x-www-form-urlencoded"]).toEqual({
    schema: {
      type: "object",
      properties: {
        topic: {
          type: "string",
          maxLength: 60,
          description: "The topic. Also accepted as `subject`.",
          examples: ["lunch"],
        },
        op: {
          type: "string",
          enum: ["start", "stop"],
          description: "Action: `add` or `remove`; for typing, `start` or `stop`.",
          examples: ["start"],
        },
        to: {
          type: "array",
          items: { type: "integer" },
          description: "The channel, by ID or name, or users, by IDs or email addresses.",
          examples: [[9]],
        },
        quiet: { type: "boolean", default: false, description: "", examples: [true] },
        limit: { type: "integer", minimum: 0, default: 5, description: "", examples: [1] },
      },
      required: ["op", "to"],
    },
    encoding: { to: { contentType: "application/json" } },
  });
});

test("documents GET parameters in the query", () => {
  const { get } = openapiOf(routes).paths["/api/v1/messages/{message_id}"] as never;
  const { parameters, requestBody } = get as { parameters: unknown[]; requestBody?: unknown };
  expect(requestBody).toBeUndefined();
  const schema = { type: "array", items: { type: "integer" } };
  expect(parameters).toContainEqual({
    name: "to",
    in: "query",
    description: "The channel, by ID or name, or users, by IDs or email addresses.",
    required: true,
    content: { "application/json": { schema, example: [9] } },
  });
});

test("publishes the OpenAPI document, which documents itself", async () => {
  const counter = await open(all);
  const { status, body } = await counter.request("GET /openapi.json");
  await counter.stop();
  expect(status).toBe(200);
  expect(body.openapi).toBe("3.1.0");
  expect(body.info).toMatchObject({ version: VERSION, "x-feature-level": FEATURE_LEVEL });
  expect(body.paths["/api/v1/openapi.json"].get.security).toEqual([{}, { basic: [] }]);
  expect(body.components.schemas.Refusal_RATE_LIMIT_HIT).toMatchObject({
    properties: { code: { const: "RATE_LIMIT_HIT" }, "retry-after": { type: "number" } },
  });
});

test("merges paths that differ in a parameter's name", () => {
  const { paths } = openapiOf(things);
  expect(Object.keys(paths)).not.toContain("/api/v1/users/{user_id}");
  expect(paths["/api/v1/users/{user_id_or_email}"]!["get"]).toMatchObject({
    operationId: "get_api_v1_users_user_id_or_email",
    parameters: [{ in: "path", schema: { anyOf: [{ type: "integer" }, { type: "string" }] } }],
  });
});

test("documents bodies that an endpoint reads itself as bytes", () => {
  const { paths } = openapiOf(things);
  const { requestBody, parameters } = paths["/api/v1/raw"]!["post"]!;
  expect(requestBody?.content).toEqual({ "*/*": {} });
  expect(parameters).toMatchObject([{ name: "note", in: "query", required: true }]);
  expect(paths["/files/{path}"]!["get"]).not.toHaveProperty("requestBody");
});

test("documents every route with each of its parameters", () => {
  const { paths } = openapiOf(real);
  const blankParameters = (path: string) => path.replaceAll(/\{[^}]*\}/g, "{}");
  const documentedPaths = Object.keys(paths);
  expect(new Set(documentedPaths.map(blankParameters)).size).toBe(documentedPaths.length);
  const ids: string[] = [];
  for (const route of real) {
    const path = documentedPaths.find(
      (item) => blankParameters(item) === blankParameters(addressOf(route)),
    )!;
    const operation = paths[path]![route.method.toLowerCase()]!;
    ids.push(operation.operationId);
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual([...(path.match(/\{[^}]*\}/g) ?? [])]);
    const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema;
    const received = operation.parameters.map(({ name }) => name);
    received.push(...Object.keys(form?.properties ?? {}));
    const holes: string[] = addressOf(route).match(/(?<=\{)\w+/g) ?? [];
    const expected = Object.keys(route.endpoint.params).filter((name) => !holes.includes(name));
    expect(expected.filter((name) => !received.includes(name))).toEqual([]);
  }
  expect(new Set(ids).size).toBe(Object.values(paths).flatMap(Object.keys).length);
});

const operations = Object.entries(openapiOf(real).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

test("every operation has a unique summary, and each parameter a description", () => {
  const mute = operations.flatMap(({ name, operation }) => {
    const { summary, tags, parameters, requestBody } = operation;
    const form = requestBody?.content["application/x-www-form-urlencoded"]?.schema?.properties;
    const lines = [
      ...parameters.map((parameter) => [parameter.name, parameter.description] as const),
      ...Object.entries(form ?? {}).map(
        ([field, schema]) => [field, schema["description"]] as const,
      ),
    ];
    const silent = lines.filter(([, line]) => !line).map(([field]) => `${name} ${field}`);
    return summary === "" || tags.length !== 1 ? [name, ...silent] : silent;
  });
  expect(mute).toEqual([]);
});

test("every description is for an existing parameter", () => {
  const knownParameters = new Set(real.flatMap(({ endpoint }) => Object.keys(endpoint.params)));
  expect(Object.keys(parameters).filter((name) => !knownParameters.has(name))).toEqual([]);
});

test("examples of responses and parameters match their schemas", () => {
  const wrong = real.filter(
    ({ endpoint: { answer: response } }) => response && !Check(response, exampleOf(response)),
  );
  expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  for (const route of real) {
    for (const [name, parameter] of Object.entries(route.endpoint.params as Parameters)) {
      const { form } = parameter;
      const [, example] = parameterDescription(name, route.endpoint.params as Parameters);
      if (form.as === "json") expect([name, Check(form.schema, example)]).toEqual([name, true]);
    }
  }
});

/** Pages and resumable uploads have addresses that end in a slash, which clients know. */
const endsInSlash = (path: string) => !path.startsWith("/api/v1/") || path === "/api/v1/tus/";

test("the OpenAPI linter finds only errors due to the protocol's paths", async () => {
  const directory = await mkdtemp(join(tmpdir(), "skein-openapi-"));
  const file = join(directory, "openapi.json");
  await Bun.write(file, JSON.stringify(openapiOf(real)));
  const linter = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
  const lint = Bun.spawn([process.execPath, linter, "lint", file, "--format=json"], {
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdout: "pipe",
    stderr: "ignore",
  });
  const { problems } = (await new Response(lint.stdout).json()) as { problems: Problem[] };
  await rm(directory, { recursive: true });
  const errors = problems.filter(({ severity }) => severity === "error");
  expect(errors.length).toBeGreaterThan(0);
  const unforced = errors.filter(({ ruleId, location: [at] }) => {
    const path = at!.pointer.split("/")[2]!.replaceAll("~1", "/");
    return ruleId !== "no-path-trailing-slash" || !endsInSlash(path);
  });
  expect(unforced).toEqual([]);
});

interface Problem {
  severity: string;
  ruleId: string;
  message: string;
  location: { pointer: string }[];
}
