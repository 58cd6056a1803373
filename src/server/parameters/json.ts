// Validates JSON values against their schemas, and describes errors.
import { ownValue } from "../../text/input/own-value.ts";
import type { TSchema } from "typebox";

/** The part of JSON Schema that parameters may use. */
interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Shape | readonly Shape[];
  readonly additionalItems?: boolean;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Shape;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
}

const KEYWORDS = new Set([
  ...["type", "const", "enum", "anyOf", "minimum", "maximum", "minLength", "maxLength", "pattern"],
  ...["items", "additionalItems", "minItems", "maxItems", "properties", "required"],
  ...["additionalProperties", "patternProperties", "title", "description", "default", "examples"],
]);

/** Names of types in error messages. */
const NOUNS: Readonly<Record<string, string>> = {
  integer: "an integer",
  number: "a float",
  string: "a string",
  boolean: "a boolean",
  array: "a list",
  object: "a dict",
  null: "null",
};

/** The error message; undefined if the value is valid. `location`: the path of the value. */
export function faultIn(schema: TSchema, value: unknown, location: string): string | undefined {
  return fault(schema as Shape, value, location);
}

/** Throws if a schema uses a keyword that this check does not support. */
export function assertUnderstood(schema: TSchema) {
  const { items, anyOf, properties, patternProperties, additionalProperties } = schema as Shape;
  for (const keyword of Object.keys(schema)) {
    if (!KEYWORDS.has(keyword))
      throw new Error(`parameters cannot use "${keyword}" of JSON Schema`);
  }
  const inner = [items ?? [], anyOf ?? [], Object.values({ ...properties, ...patternProperties })];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  for (const part of inner.flat(2)) assertUnderstood(part as TSchema);
}

function fault(schema: Shape, value: unknown, location: string): string | undefined {
  if (schema.anyOf !== undefined) return faultOfUnion(schema.anyOf, value, location);
  if (schema.enum !== undefined)
    return schema.enum.includes(value) ? undefined : `Invalid ${location}`;
  if (schema.type !== undefined && !isOfType(schema.type, value)) {
    return `${location} is not ${ownValue(NOUNS, schema.type)}`;
  }
  if ("const" in schema) return value === schema.const ? undefined : `Invalid ${location}`;
  if (typeof value === "number") return faultOfNumber(schema, value, location);
  if (typeof value === "string") return faultOfString(schema, value, location);
  if (Array.isArray(value)) return faultOfList(schema, value, location);
  if (schema.type === "object")
    return faultOfDict(schema, value as Record<string, unknown>, location);
  return undefined;
}

/** If no branch matches: the error in the branch of the value's type, or else the types. */
function faultOfUnion(
  branches: readonly Shape[],
  value: unknown,
  location: string,
): string | undefined {
  let inner: string | undefined;
  for (const branch of branches) {
    const message = fault(branch, value, location);
    if (message === undefined) return undefined;
    if (branch.type === undefined || isOfType(branch.type, value)) inner ??= message;
  }
  if (inner !== undefined) return inner;
  const nouns = branches.map((branch) => ownValue(NOUNS, branch.type ?? "") ?? "");
  return `${location} is not ${[...new Set(nouns)].filter(Boolean).join(" or ")}`;
}

function faultOfNumber({ type, minimum, maximum }: Shape, value: number, location: string) {
  const isInteger = type === "integer";
  if (value < (minimum ?? (isInteger ? Number.MIN_SAFE_INTEGER : -Infinity))) {
    return `${location} is too small`;
  }
  if (value > (maximum ?? (isInteger ? Number.MAX_SAFE_INTEGER : Infinity))) {
    return `${location} is too large`;
  }
  return undefined;
}

function faultOfString(
  { minLength = 0, maxLength, pattern }: Shape,
  value: string,
  location: string,
) {
  if (minLength > 0 && value === "") return `${location} cannot be blank`;
  if (isShorter(value, minLength)) return `${location} is too short.`;
  if (maxLength !== undefined && isLonger(value, maxLength)) return tooLong(location, maxLength);
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    return `${location} has invalid format`;
  }
  return undefined;
}

function faultOfList(schema: Shape, list: unknown[], location: string): string | undefined {
  const { items, minItems = 0, maxItems } = schema;
  const isTuple = Array.isArray(items);
  const exact = isTuple ? items.length : minItems === maxItems ? minItems : undefined;
  if (exact !== undefined && list.length !== exact) return `${location} is not length ${exact}`;
  if (list.length < minItems) return `${location} is too short.`;
  if (maxItems !== undefined && list.length > maxItems) {
    return `${location} is too long (limit: ${maxItems} items)`;
  }
  for (let index = 0; index < list.length; index++) {
    const item = (isTuple ? items[index] : items) as Shape | undefined;
    // The path is formatted only for errors.
    if (item === undefined || fault(item, list[index], location) === undefined) continue;
    return fault(item, list[index], `${location}[${index}]`);
  }
  return undefined;
}

function faultOfDict(
  schema: Shape,
  dict: Record<string, unknown>,
  location: string,
): string | undefined {
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(dict, key))
      return `${placeOf(location, key)} field is missing: Field required`;
  }
  for (const [key, value] of Object.entries(dict)) {
    const part = partOf(schema, key);
    if (part === undefined) continue;
    if (part === false) return `Argument "${key}" at ${location} is unexpected`;
    const message = fault(part, value, placeOf(location, key));
    if (message !== undefined) return message;
  }
  return undefined;
}

/** The schema of a key's value; undefined if anything is allowed, false if nothing is. */
function partOf(schema: Shape, key: string): Shape | false | undefined {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
    return schema.properties[key];
  }
  for (const [pattern, part] of Object.entries(schema.patternProperties ?? {})) {
    if (new RegExp(pattern, "su").test(key)) return part;
  }
  if (schema.additionalProperties === true) return undefined;
  if (schema.additionalProperties === undefined) {
    return schema.patternProperties === undefined ? undefined : false;
  }
  return schema.additionalProperties;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "null":
      return value === null;
    default:
      return typeof value === type;
  }
}

function placeOf(location: string, key: string) {
  return `${location}[${JSON.stringify(key)}]`;
}

export function tooLong(location: string, max: number) {
  return `${location} is too long (limit: ${max} characters)`;
}

/** Lengths are counted in code points, each of which has at most two UTF-16 units. */
export function isLonger(value: string, max: number) {
  return value.length > max && (value.length > 2 * max || countOf(value) > max);
}

function isShorter(value: string, min: number) {
  return value.length < min || (value.length < 2 * min && countOf(value) < min);
}

function countOf(value: string) {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}
