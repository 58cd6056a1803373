// The types that clients need of JSON, written as tables, and what in a value does not fit them.

/** `secs`: a time in whole seconds. With `?` at the end also null. */
type Kind = `${"int" | "secs" | "str" | "bool" | "num" | "any"}${"" | "?"}`;
/** A field whose name ends in `?` may be absent. */
export type Shape = Kind | ListOf | DictOf | OneOf | { readonly [field: string]: Shape };

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

class OneOf {
  constructor(
    readonly values: readonly unknown[],
    readonly shapes: readonly Shape[],
  ) {}
}

export const list = (item: Shape) => new ListOf(item, false);
/** A list that holds something, so that its items are looked at. */
export const filled = (item: Shape) => new ListOf(item, true);
export const dict = (item: Shape) => new DictOf(item, false);
export const filledDict = (item: Shape) => new DictOf(item, true);
/** One of a few values. */
export const oneOf = (...values: (string | number | boolean | null)[]) => new OneOf(values, []);
/** A value of one of several forms. */
export const either = (...shapes: Shape[]) => new OneOf([], shapes);

/** What times are at least that somebody has forgotten to divide. */
const IN_MILLISECONDS = 1e12;

/** One line for each place that does not fit; nothing when all does. */
export function misfits(shape: Shape, value: unknown, at = ""): string[] {
  return faults(shape, value, at, false);
}

/** As misfits, and no dict may have a field that its shape does not name. */
export function strayings(shape: Shape, value: unknown, at = ""): string[] {
  return faults(shape, value, at, true);
}

function faults(shape: Shape, value: unknown, at: string, isExact: boolean): string[] {
  if (typeof shape === "string") return isOfKind(shape, value) ? [] : [`${at} is no ${shape}`];
  if (shape instanceof OneOf) return faultsOfChoice(shape, value, at, isExact);
  if (shape instanceof ListOf) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    if (shape.isFilled && value.length === 0) return [`${at} is empty`];
    return value.flatMap((item, index) => faults(shape.item, item, `${at}[${index}]`, isExact));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return [`${at} is no dict`];
  if (shape instanceof DictOf) {
    const entries = Object.entries(value);
    if (shape.isFilled && entries.length === 0) return [`${at} is empty`];
    return entries.flatMap(([key, item]) => faults(shape.item, item, `${at}.${key}`, isExact));
  }
  const known = Object.entries(shape).flatMap(([field, inner]) => {
    const name = field.replace(/\?$/, "");
    if (!(name in value)) return field === name ? [`${at}.${name} is missing`] : [];
    return faults(inner, (value as Record<string, unknown>)[name], `${at}.${name}`, isExact);
  });
  if (!isExact) return known;
  const strays = Object.keys(value).filter((name) => !(name in shape) && !(`${name}?` in shape));
  return [...known, ...strays.map((name) => `${at}.${name} is a stray`)];
}

/** Of several forms none fits: what is wrong with the one that comes nearest. */
function faultsOfChoice(choice: OneOf, value: unknown, at: string, isExact: boolean): string[] {
  const { values, shapes } = choice;
  if (shapes.length === 0) {
    return values.includes(value) ? [] : [`${at} is none of ${values.join(", ")}`];
  }
  const tries = shapes.map((shape) => faults(shape, value, at, isExact));
  return tries.reduce((best, other) => (other.length < best.length ? other : best));
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
