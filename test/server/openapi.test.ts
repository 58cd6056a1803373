/** Pins the document that describes the routes. */
import { expect, test } from "bun:test";
import { Type } from "typebox";
import {
  bool,
  defaulted,
  endpoint,
  int,
  json,
  named,
  natural,
  oneOf,
  optional,
  textOf,
} from "../../src/endpoint.ts";
import { routes as real } from "../../src/routes.ts";
import { signedIn } from "../../src/server/gate.ts";
import { openapiOf, openapiRoute } from "../../src/server/openapi.ts";
import { addressOf, type Route } from "../../src/server/routing.ts";
import { open } from "./counter.ts";
import { routes as things } from "./things.ts";

const declared = endpoint({
  params: {
    message_id: int,
    topic: optional(named("subject", textOf({ max: 60 }))),
    op: oneOf("start", "stop"),
    to: json(Type.Array(Type.Integer())),
    quiet: defaulted(bool, false),
    limit: defaulted(natural, 5),
  },
  run: () => ({}),
});
const routes: Route[] = [
  { method: "PATCH", path: "/messages/{message_id}", gate: signedIn, endpoint: declared },
  { method: "GET", path: "/messages/{message_id}", gate: signedIn, endpoint: declared },
];
const all: Route[] = [...routes, openapiRoute(() => all, "1.2.3")];

test("a form becomes a body with its JSON fields marked", () => {
  const { patch } = openapiOf(routes, "1").paths["/api/v1/messages/{message_id}"] as never;
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
        topic: { type: "string", maxLength: 60, description: "Also accepted as `subject`." },
        op: { type: "string", enum: ["start", "stop"] },
        to: { type: "array", items: { type: "integer" } },
        quiet: { type: "boolean", default: false },
        limit: { type: "integer", minimum: 0, default: 5 },
      },
      required: ["op", "to"],
    },
    encoding: { to: { contentType: "application/json" } },
  });
});

test("a GET takes its parameters in the query", () => {
  const { get } = openapiOf(routes, "1").paths["/api/v1/messages/{message_id}"] as never;
  const { parameters, requestBody } = get as { parameters: unknown[]; requestBody?: unknown };
  expect(requestBody).toBeUndefined();
  expect(parameters).toContainEqual({
    name: "to",
    in: "query",
    required: true,
    content: { "application/json": { schema: { type: "array", items: { type: "integer" } } } },
  });
});

test("the document is published, and describes itself", async () => {
  const counter = await open(all);
  const { status, body } = await counter.ask("GET /openapi.json");
  await counter.stop();
  expect(status).toBe(200);
  expect(body.openapi).toBe("3.1.0");
  expect(body.info).toEqual({ title: "Skein", version: "1.2.3" });
  expect(body.paths["/api/v1/openapi.json"].get.security).toEqual([{}, { basic: [] }]);
  expect(body.components.schemas.Error.properties.result).toEqual({ const: "error" });
});

test("addresses that differ in the name of a hole are one", () => {
  const { paths } = openapiOf(things, "1");
  expect(Object.keys(paths)).not.toContain("/api/v1/users/{user_id}");
  expect(paths["/api/v1/users/{user_id_or_email}"]!["get"]).toMatchObject({
    operationId: "get_api_v1_users_user_id_or_email",
    parameters: [{ in: "path", schema: { anyOf: [{ type: "integer" }, { type: "string" }] } }],
  });
});

test("a body that its endpoint reads itself is said to be bytes", () => {
  const { paths } = openapiOf(things, "1");
  const { requestBody, parameters } = paths["/api/v1/raw"]!["post"] as Operation;
  expect(requestBody?.content).toEqual({ "*/*": {} });
  expect(parameters).toMatchObject([{ name: "note", in: "query", required: true }]);
  expect(paths["/files/{path}"]!["get"]).not.toHaveProperty("requestBody");
});

interface Operation {
  operationId: string;
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema?: { properties: object } }> };
}

test("every route of the server is in the document, with each of its parameters", () => {
  const { paths } = openapiOf(real, "1");
  const blank = (path: string) => path.replaceAll(/\{[^}]*\}/g, "{}");
  const written = Object.keys(paths);
  expect(new Set(written.map(blank)).size).toBe(written.length);
  const ids: string[] = [];
  for (const route of real) {
    const path = written.find((one) => blank(one) === blank(addressOf(route)))!;
    const operation = paths[path]![route.method.toLowerCase()] as Operation;
    ids.push(operation.operationId);
    const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual([...(path.match(/\{[^}]*\}/g) ?? [])]);
    const form = operation.requestBody?.content["application/x-www-form-urlencoded"]?.schema;
    const told = operation.parameters.map(({ name }) => name);
    told.push(...Object.keys(form?.properties ?? {}));
    const holes: string[] = addressOf(route).match(/(?<=\{)\w+/g) ?? [];
    const wanted = Object.keys(route.endpoint.params).filter((name) => !holes.includes(name));
    expect(wanted.filter((name) => !told.includes(name))).toEqual([]);
  }
  expect(new Set(ids).size).toBe(Object.values(paths).flatMap(Object.keys).length);
});
