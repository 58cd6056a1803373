// Describes all routes as an OpenAPI document, out of the same declarations that serve them.
import { type Form, openEndpoint, type Parameter, type Parameters } from "../endpoint.ts";
import { anyone } from "./gate.ts";
import { addressOf, type Route } from "./routing.ts";

type Schema = Record<string, unknown>;

/** The route that publishes the document; it stands in the list that it describes. */
export function openapiRoute(routes: () => readonly Route[], version: string): Route {
  let text: string | undefined;
  const endpoint = openEndpoint({
    params: {},
    run: () => {
      text ??= JSON.stringify(openapiOf(routes(), version));
      return new Response(text, { headers: { "Content-Type": "application/json" } });
    },
  });
  return { method: "GET", path: "/openapi.json", gate: anyone, endpoint, only: "by key" };
}

export function openapiOf(routes: readonly Route[], version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  const places = Map.groupBy(routes, (route) => addressOf(route).replaceAll(HOLE, "{}"));
  for (const alike of places.values()) {
    const path = sharedAddress(alike);
    const methods = Map.groupBy(alike, ({ method }) => method.toLowerCase());
    paths[path] = Object.fromEntries(
      [...methods].map(([method, same]) => [method, operationOf(path, same)]),
    );
  }
  return {
    openapi: "3.1.0",
    info: { title: "Skein", version },
    paths,
    components: {
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        address: { type: "apiKey", in: "query", name: "api_key" },
      },
      schemas: { Success: SUCCESS, Error: ERROR },
    },
  };
}

const HOLE = /\{[^}]*\}/g;

/** Templates that differ only in what a hole is called would be one and the same. */
function sharedAddress(alike: readonly Route[]): string {
  const holes = alike.map(holesOf);
  let at = 0;
  return addressOf(alike[0]!).replaceAll(HOLE, () => {
    const names = new Set(holes.map((ofRoute) => bare(ofRoute[at]!)));
    at += 1;
    return `{${[...names].join("_or_")}}`;
  });
}

const SUCCESS = {
  type: "object",
  properties: {
    result: { const: "success" },
    msg: { type: "string" },
    ignored_parameters_unsupported: { type: "array", items: { type: "string" } },
  },
  required: ["result", "msg"],
};

const ERROR = {
  type: "object",
  properties: {
    result: { const: "error" },
    msg: { type: "string" },
    code: { type: "string" },
  },
  required: ["result", "msg"],
};

/** `same`: what one method does there, by the first of them whose path parameters fit. */
function operationOf(path: string, same: readonly Route[]) {
  const { method, gate, endpoint } = same[0]!;
  const inPath = (path.match(HOLE) ?? []).map((hole, at) => pathParameterOf(bare(hole), at, same));
  const rest = Object.entries(Object.assign({}, ...same.map(outsideOfPath)) as Parameters);
  const isRaw = endpoint.body === "raw";
  const isQuery = method === "GET" || isRaw;
  const inQuery = isQuery ? rest.map(([name, param]) => queryOf(name, param)) : [];
  return {
    operationId: [method.toLowerCase(), ...path.split("/").filter(Boolean).map(bare)].join("_"),
    security: [
      ...(gate.open ? [{}] : []),
      { basic: [] },
      ...(!gate.open && gate.byAddress ? [{ address: [] }] : []),
    ],
    parameters: [...inPath, ...inQuery],
    ...(isQuery || rest.length === 0 ? {} : { requestBody: bodyOf(rest) }),
    ...(isRaw && method !== "GET" ? { requestBody: BYTES } : {}),
    responses: {
      200: { description: "Success", content: jsonOf("Success") },
      default: { description: "Refusal", content: jsonOf("Error") },
    },
  };
}

const BYTES = {
  description:
    "A file in a form; where an upload goes on, its bytes; what a program tells a webhook.",
  content: { "*/*": {} },
};

function pathParameterOf(name: string, at: number, same: readonly Route[]) {
  const holes = same.map((route) => holesOf(route)[at]!);
  const schemas = same.map(({ endpoint }, place) => {
    return schemaOf((endpoint.params as Parameters)[bare(holes[place]!)]!.form);
  });
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  const slashes = holes.some((hole) => hole.endsWith("*}")) && {
    description: "Takes slashes too.",
  };
  return { name, in: "path", required: true, schema, ...slashes };
}

function outsideOfPath(route: Route): Parameters {
  const inPath = new Set(holesOf(route).map(bare));
  const params = Object.entries(route.endpoint.params as Parameters);
  return Object.fromEntries(params.filter(([name]) => !inPath.has(name)));
}

function holesOf(route: Route): string[] {
  return addressOf(route).match(HOLE) ?? [];
}

function queryOf(name: string, parameter: Parameter<unknown>) {
  const schema = described(parameter);
  const where = { name, in: "query", required: parameter.required };
  if (parameter.form.as !== "json") return { ...where, schema };
  return { ...where, content: { "application/json": { schema } } };
}

function bodyOf(params: readonly [string, Parameter<unknown>][]) {
  const required = params.filter(([, { required }]) => required).map(([name]) => name);
  const isJson = ([, { form }]: readonly [string, Parameter<unknown>]) => form.as === "json";
  const asJson = { contentType: "application/json" };
  const form = {
    schema: {
      type: "object",
      properties: Object.fromEntries(params.map(([name, param]) => [name, described(param)])),
      ...(required.length === 0 ? {} : { required }),
    },
    encoding: Object.fromEntries(params.filter(isJson).map(([name]) => [name, asJson])),
  };
  const content = { "application/x-www-form-urlencoded": form, "multipart/form-data": form };
  return { required: required.length > 0, content };
}

function described({ form, otherwise, alias }: Parameter<unknown>): Schema {
  return {
    ...schemaOf(form),
    ...(otherwise === undefined ? {} : { default: otherwise }),
    ...(alias === undefined ? {} : { description: `Also accepted as \`${alias}\`.` }),
  };
}

function schemaOf(form: Form): Schema {
  switch (form.as) {
    case "text":
      return { type: "string", ...(form.limits.max && { maxLength: form.limits.max }) };
    case "int":
      return { type: "integer", ...(form.minimum === 0 && { minimum: 0 }) };
    case "bool":
      return { type: "boolean" };
    case "oneOf":
      return { type: "string", enum: form.values };
    case "json":
      return { ...form.schema };
  }
}

function jsonOf(name: "Success" | "Error") {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

function bare(word: string) {
  return word.replaceAll(/[{}*]/g, "");
}
