// Tables of the JSON types that clients require, and a check of values against them.

/** `secs`: a time in whole seconds. A trailing `?` also allows null. */
type Kind = `${"int" | "secs" | "str" | "bool" | "num" | "any"}${"" | "?"}`;
/** A field whose name ends in `?` may be absent. */
export type Shape = Kind | ListOf | DictOf | { readonly [field: string]: Shape };

class ListOf {
  constructor(
    readonly item: Shape,
    readonly isFilled: boolean,
  ) {}
}

class DictOf {
  constructor(
    readonly item: Shape,
    readonly isFilled: boolean,
  ) {}
}

export const list = (item: Shape) => new ListOf(item, false);
/** A list that must not be empty, so that its items are checked. */
export const filled = (item: Shape) => new ListOf(item, true);
export const dict = (item: Shape) => new DictOf(item, false);
export const filledDict = (item: Shape) => new DictOf(item, true);

/** Larger numbers are milliseconds that should be seconds. */
const IN_MILLISECONDS = 1e12;

/** Returns one line per mismatch; empty if all fields match. */
export function misfits(shape: Shape, value: unknown, at = ""): string[] {
  if (typeof shape === "string") return isOfKind(shape, value) ? [] : [`${at} is no ${shape}`];
  if (shape instanceof ListOf) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    if (shape.isFilled && value.length === 0) return [`${at} is empty`];
    return value.flatMap((item, index) => misfits(shape.item, item, `${at}[${index}]`));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`${at} is no dict`];
  if (shape instanceof DictOf) {
    const entries = Object.entries(value);
    if (shape.isFilled && entries.length === 0) return [`${at} is empty`];
    return entries.flatMap(([key, item]) => misfits(shape.item, item, `${at}.${key}`));
  }
  return Object.entries(shape).flatMap(([field, inner]) => {
    const name = field.replace(/\?$/, "");
    if (!(name in value)) return field === name ? [`${at}.${name} is missing`] : [];
    return misfits(inner, (value as Record<string, unknown>)[name], `${at}.${name}`);
  });
}

function isOfKind(kind: Kind, value: unknown): boolean {
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
