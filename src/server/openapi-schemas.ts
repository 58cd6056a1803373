// Converts the contract's schemas to OpenAPI: named once, with examples.
import type { TSchema } from "typebox";
import type { ErrorCode } from "../contract/errors/general.ts";
import * as channels from "../contract/shapes/channels.ts";
import * as kept from "../contract/shapes/personal.ts";
import * as messages from "../contract/shapes/messages.ts";
import * as organization from "../contract/shapes/organization.ts";
import * as people from "../contract/shapes/people.ts";
import { methodRefusedShape, refusalShape } from "../contract/shapes/refusals.ts";
import * as rights from "../contract/shapes/rights.ts";
import { eventShapes } from "../contract/shapes/events.ts";

/** The subset of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  [word: string]: unknown;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly encoding?: object;
}
type Content = Readonly<Record<string, Media>>;

export interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  readonly required: boolean;
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly content?: Content;
}

/** The subset of an OpenAPI operation that is generated. */
export interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<"200" | "4XX", { description: string; content: Content }>>;
}

const pages = { ...channels, ...kept, ...messages, ...organization, ...people, ...rights };

/** `Channel` for `channelShape`: objects that appear in more than one place. */
const names = new Map<unknown, string>(
  Object.entries(pages).flatMap(([name, schema]) => {
    if (!name.endsWith("Shape") || !("properties" in schema || "anyOf" in schema)) return [];
    return [[schema, name[0]!.toUpperCase() + name.slice(1, -"Shape".length)]];
  }),
);

/** Returns a schema that refers to named schemas. */
export function referring(schema: TSchema | Schema, isNamed = true): Schema {
  const name = isNamed ? names.get(schema) : undefined;
  if (name !== undefined) return refTo(name);
  const { anyOf, items, properties, additionalProperties, patternProperties, ...rest } =
    schema as Schema;
  const values = additionalProperties ?? Object.values((patternProperties as object) ?? {})[0];
  return {
    ...rest,
    ...(anyOf && withoutAnyOf(anyOf)),
    ...(items && { items: referring(items) }),
    ...(properties && { properties: mapped(properties) }),
    ...(values !== undefined && {
      additionalProperties: typeof values === "object" ? referring(values as Schema) : values,
    }),
  };
}

/** Turns a union of `null` and one other schema into a nullable schema. */
function withoutAnyOf(anyOf: readonly Schema[]): Schema {
  const [schema, other] = anyOf;
  const isNullable = anyOf.length === 2 && other?.type === "null";
  const schemaObject = referring(schema!);
  if (isNullable && typeof schemaObject.type === "string" && !schemaObject.enum) {
    return { ...schemaObject, type: [schemaObject.type, "null"] };
  }
  return { anyOf: anyOf.map((form) => referring(form)) };
}

const mapped = (properties: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, referring(schema)]));

export const refTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Returns all referenced schemas: objects, events, and errors with these codes. */
export function components(codes: Iterable<ErrorCode>): Record<string, Schema> {
  const items = [...names].map(([schema, name]) => [name, referring(schema as Schema, false)]);
  const events = Object.entries(eventShapes).map(([kind, schema]) => {
    const [type, op] = kind.split("/");
    const { properties = {}, anyOf, required = [] } = schema as unknown as Schema;
    const ownProperties = {
      type: { const: type },
      ...(op && { op: { const: op } }),
      id: { type: "integer" },
    };
    const requiredNames = Object.keys(ownProperties);
    const payload = anyOf
      ? { anyOf: anyOf.map((form) => withFields(form, ownProperties, requiredNames)) }
      : withFields({ type: "object", properties, required }, ownProperties, requiredNames);
    return [`Event_${kind.replace("/", "_")}`, referring(payload, false)];
  });
  const refusals = [...codes].map((code) => [`Refusal_${code}`, referring(refusalShape(code))]);
  return Object.fromEntries([
    ...items,
    ...events,
    ["Event", { anyOf: events.map(([name]) => refTo(name as string)) }],
    ...refusals,
    ["Refusal_of_the_method", referring(methodRefusedShape)],
  ]) as Record<string, Schema>;
}

function withFields(
  schema: Schema,
  ownProperties: Record<string, Schema>,
  requiredNames: readonly string[],
): Schema {
  const { properties = {}, required = [] } = schema;
  return {
    ...schema,
    properties: { ...ownProperties, ...properties },
    required: [...requiredNames, ...required],
  };
}

/** Returns a value that matches the schema. */
export function exampleOf(schema: TSchema | Schema): unknown {
  const { const: only, enum: values, anyOf, type, items, properties, required } = schema as Schema;
  if (only !== undefined) return only;
  if (values) return values[0];
  if (anyOf) return exampleOf(anyOf[0]!);
  switch (type) {
    case "integer":
    case "number":
      return Math.max(1, Number((schema as Schema)["minimum"] ?? 1));
    case "boolean":
      return true;
    case "string":
      return "text";
    case "array":
      return items ? [exampleOf(items)] : [];
    case "object":
      return Object.fromEntries(
        (required ?? []).map((name) => [name, exampleOf(properties?.[name] ?? {})]),
      );
    default:
      return null;
  }
}
