// Generates the OpenAPI document from the declarations that also serve the routes.
import { Check } from "typebox/value";
import { FEATURE_LEVEL, PROTOCOL_VERSION } from "../contract/names.ts";
import { parameters as told } from "../contract/parameters.ts";
import { GENERAL } from "../contract/shapes/refusals.ts";
import { VERSION } from "../contract/version.ts";
import type { ParameterKind, Parameter, Parameters } from "../endpoint.ts";
import {
  components,
  type DescribedParameter,
  exampleOf,
  type Operation,
  referring,
  refTo,
  type Schema,
} from "./openapi-schemas.ts";
import { addressOf, type Route } from "./routing.ts";

export function openapiOf(routes: readonly Route[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  const places = Map.groupBy(routes, (route) => addressOf(route).replaceAll(TEMPLATE_HOLE, "{}"));
  for (const similar of places.values()) {
    const path = sharedAddress(similar);
    const methods = Map.groupBy(similar, ({ method }) => method.toLowerCase());
    paths[path] = Object.fromEntries(
      [...methods].map(([method, same]) => [method, operationOf(path, same)]),
    );
  }
  const codes = new Set([...GENERAL, ...routes.flatMap(({ endpoint }) => endpoint.refuses ?? [])]);
  const tags = [...new Set(routes.map(({ endpoint }) => endpoint.tag))];
  return {
    openapi: "3.1.0",
    info: {
      title: "Skein",
      version: VERSION,
      summary: "Team chat: messages, channels, users and events.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      "x-protocol-version": PROTOCOL_VERSION,
      "x-feature-level": FEATURE_LEVEL,
    },
    servers: [{ url: "/" }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        basic: {
          type: "http",
          scheme: "basic",
          description: "Email address, and the API key as the password.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-sessionid",
          description: "Cookie of a browser session; for paths under /json.",
        },
        address: {
          type: "apiKey",
          in: "query",
          name: "api_key",
          description: "The API key alone, for programs that cannot set a header.",
        },
      },
      schemas: { Success: SUCCESS, ...components(codes) },
    },
  };
}

const TEMPLATE_HOLE = /\{[^{}]*\}/g;

/** Path templates that differ only in parameter names would be identical in OpenAPI. */
function sharedAddress(similar: readonly Route[]): string {
  const holes = similar.map(placeholdersOf);
  let index = 0;
  return addressOf(similar[0]!).replaceAll(TEMPLATE_HOLE, () => {
    const names = new Set(holes.map((ofRoute) => withoutBraces(ofRoute[index]!)));
    index += 1;
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

/**
 * `sameRoutes`: the routes of one method at this path; the first one whose path parameters match
 * describes the operation.
 */
function operationOf(path: string, routes: readonly Route[]): Operation {
  const { method, gate, endpoint } = routes[0]!;
  const { summary, tag } = endpoint;
  const inPath = (path.match(TEMPLATE_HOLE) ?? []).map((placeholder, index) =>
    pathParameterOf(withoutBraces(placeholder), index, routes),
  );
  const rest = Object.entries(Object.assign({}, ...routes.map(outsideOfPath)) as Parameters);
  const isRaw = endpoint.body === "raw";
  const isQuery = method === "GET" || isRaw;
  const inQuery = isQuery ? rest.map(([name, param]) => queryOf(name, param)) : [];
  return {
    summary,
    tags: [tag],
    operationId: [method.toLowerCase(), ...path.split("/").filter(Boolean).map(withoutBraces)].join(
      "_",
    ),
    security: [
      ...(gate.open ? [{}] : []),
      { basic: [] },
      ...(!gate.open && gate.byAddress ? [{ address: [] }] : []),
    ],
    parameters: [...inPath, ...inQuery],
    ...(isQuery || rest.length === 0 ? {} : { requestBody: bodyOf(rest) }),
    ...(isRaw && method !== "GET" ? { requestBody: BYTES } : {}),
    responses: {
      200: successOf(endpoint),
      "4XX": { description: "Refusal", content: jsonOf(refusalOf(endpoint)) },
    },
  };
}

function successOf({ answer: response }: Route["endpoint"]): Operation["responses"]["200"] {
  if (response === undefined) {
    return { description: "A page, an image or a file", content: { "*/*": {} } };
  }
  const { properties = {}, required = [] } = referring(response, false);
  const schema = {
    allOf: [
      refTo("Success"),
      { type: "object", properties, ...(required.length > 0 && { required }) },
    ],
  };
  const example = { result: "success", msg: "", ...(exampleOf(response) as object) };
  return { description: "Success", content: { "application/json": { schema, example } } };
}

function refusalOf({ refuses = [] }: Route["endpoint"]): Schema {
  const codes = [...new Set([...GENERAL, ...refuses])];
  return { anyOf: codes.map((code) => refTo(`Refusal_${code}`)) };
}

const BYTES = {
  description: "A file in a form; the bytes of a part of an upload; or the payload of a webhook.",
  content: { "*/*": {} },
};

function pathParameterOf(
  name: string,
  index: number,
  routes: readonly Route[],
): DescribedParameter {
  const holes = routes.map((route) => placeholdersOf(route)[index]!);
  const schemas = routes.map(({ endpoint }, position) => {
    return schemaOf((endpoint.params as Parameters)[withoutBraces(holes[position]!)]!.form);
  });
  const schema = schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
  const [about, example] = parameterDescription(
    withoutBraces(holes[0]!),
    routes[0]!.endpoint.params as Parameters,
  );
  const slashes = holes.some((placeholder) => placeholder.endsWith("*}"))
    ? " Can contain slashes."
    : "";
  return { name, in: "path", required: true, description: about + slashes, schema, example };
}

/** Returns the description of a parameter and an example value. */
export function parameterDescription(
  name: string,
  params: Parameters,
): [about: string, example: unknown] {
  const { form, alias } = params[name]!;
  const line = told[name] ?? "";
  const description = typeof line === "string" ? line : line[0];
  const also = alias === undefined ? "" : ` Also accepted as \`${alias}\`.`;
  return [
    (description + also).trim(),
    isValidExample(form, line) ? line[1] : exampleOf(schemaOf(form)),
  ];
}

/** Parameters of the same name can have several types; an example applies to one of them. */
function isValidExample(
  form: ParameterKind,
  line: string | readonly unknown[],
): line is readonly unknown[] {
  if (typeof line === "string") return false;
  const example = line[1];
  switch (form.as) {
    case "oneOf":
      return form.values.includes(example as string);
    case "json":
      return Check(form.schema, example);
    default:
      return typeof example === (form.as === "int" ? "number" : "string");
  }
}

function outsideOfPath(route: Route): Parameters {
  const inPath = new Set(placeholdersOf(route).map(withoutBraces));
  const params = Object.entries(route.endpoint.params as Parameters);
  return Object.fromEntries(params.filter(([name]) => !inPath.has(name)));
}

function placeholdersOf(route: Route): string[] {
  return addressOf(route).match(TEMPLATE_HOLE) ?? [];
}

function queryOf(name: string, parameter: Parameter<unknown>): DescribedParameter {
  const [description, example] = parameterDescription(name, { [name]: parameter });
  const where = { name, in: "query" as const, description, required: parameter.required };
  const schema = withDefault(parameter);
  if (parameter.form.as !== "json") return { ...where, schema, example };
  return { ...where, content: { "application/json": { schema, example } } };
}

function bodyOf(params: readonly [string, Parameter<unknown>][]) {
  const required = params.filter(([, { required }]) => required).map(([name]) => name);
  const isJson = ([, { form }]: readonly [string, Parameter<unknown>]) => form.as === "json";
  const asJson = { contentType: "application/json" };
  const form = {
    schema: {
      type: "object",
      properties: Object.fromEntries(params.map(([name, param]) => [name, fieldOf(name, param)])),
      ...(required.length === 0 ? {} : { required }),
    },
    encoding: Object.fromEntries(params.filter(isJson).map(([name]) => [name, asJson])),
  };
  const content = { "application/x-www-form-urlencoded": form, "multipart/form-data": form };
  return { required: required.length > 0, content };
}

function fieldOf(name: string, parameter: Parameter<unknown>): Schema {
  const [description, example] = parameterDescription(name, { [name]: parameter });
  return { ...withDefault(parameter), description, examples: [example] };
}

function withDefault({ form, default: otherwise }: Parameter<unknown>): Schema {
  return { ...schemaOf(form), ...(otherwise === undefined ? {} : { default: otherwise }) };
}

function schemaOf(form: ParameterKind): Schema {
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
      return referring(form.schema);
  }
}

const jsonOf = (schema: Schema) => ({ "application/json": { schema } });

function withoutBraces(word: string) {
  return word.replaceAll(/[{}*]/g, "");
}
