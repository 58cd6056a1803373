// Tables of the JSON types that clients require, and a check of values against them.

/** `secs`: a time in whole seconds. A trailing `?` also allows null. */
type Kind = `${"int" | "secs" | "str" | "bool" | "num" | "any"}${"" | "?"}`;
/** A field whose name ends in `?` may be absent. */
export type Schema = Kind | ListOf | DictOf | { readonly [field: string]: Schema };

class ListOf {
  constructor(
    readonly item: Schema,
    readonly isFilled: boolean,
  ) {}
}

class DictOf {
  constructor(
    readonly item: Schema,
    readonly isFilled: boolean,
  ) {}
}

export const list = (item: Schema) => new ListOf(item, false);
/** A list that must not be empty, so that its items are checked. */
export const nonEmptyList = (item: Schema) => new ListOf(item, true);
export const dict = (item: Schema) => new DictOf(item, false);
export const nonEmptyDict = (item: Schema) => new DictOf(item, true);

/** Larger numbers are milliseconds that should be seconds. */
const IN_MILLISECONDS = 1e12;

/** Returns one line per mismatch; empty if all fields match. */
export function mismatches(schema: Schema, value: unknown, path = ""): string[] {
  if (typeof schema === "string")
    return matchesKind(schema, value) ? [] : [`${path} is no ${schema}`];
  if (schema instanceof ListOf) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    if (schema.isFilled && value.length === 0) return [`${path} is empty`];
    return value.flatMap((item, index) => mismatches(schema.item, item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`${path} is no dict`];
  if (schema instanceof DictOf) {
    const entries = Object.entries(value);
    if (schema.isFilled && entries.length === 0) return [`${path} is empty`];
    return entries.flatMap(([key, item]) => mismatches(schema.item, item, `${path}.${key}`));
  }
  return Object.entries(schema).flatMap(([field, inner]) => {
    const name = field.replace(/\?$/, "");
    if (!(name in value)) return field === name ? [`${path}.${name} is missing`] : [];
    return mismatches(inner, (value as Record<string, unknown>)[name], `${path}.${name}`);
  });
}

function matchesKind(kind: Kind, value: unknown): boolean {
  if (value === null) return kind.endsWith("?");
  switch (kind.replace("?", "")) {
    case "int":
      return Number.isSafeInteger(value);
    case "secs":
      return Number.isSafeInteger(value) && (value as number) < IN_MILLISECONDS;
    case "str":
      return typeof value === "string";
    case "bool":
      return typeof value === "boolean";
    case "num":
      return typeof value === "number";
    default:
      return value !== undefined;
  }
}
