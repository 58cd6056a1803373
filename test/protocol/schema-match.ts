// Finds values that do not match their schema: missing, mistyped or unknown fields.

/** The subset of JSON Schema that the contract uses. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
}

/**
 * Returns one line per mismatch; empty if all fits. Fields without a schema are mismatches,
 * although clients must accept some.
 */
export function faultsOf(schema: object, value: unknown, path = ""): string[] {
  const { type, anyOf, items, properties, ...rest } = schema as Schema;
  if (anyOf) return fewestFaults(anyOf.map((form) => faultsOf(form, value, path)));
  if ("const" in rest) return value === rest.const ? [] : [`${path} is not ${String(rest.const)}`];
  if (rest.enum)
    return rest.enum.includes(value) ? [] : [`${path} is none of ${rest.enum.join(", ")}`];
  if (type === undefined) return value === undefined ? [`${path} is not there`] : [];
  if (!isOf(type, value)) return [`${path} is no ${type}`];
  if (typeof value === "number") return faultsOfNumber(rest, value, path);
  if (items)
    return (value as unknown[]).flatMap((item, i) => faultsOf(items, item, `${path}[${i}]`));
  if (type !== "object") return [];
  if (properties) return faultsOfObject(schema as Schema, value as object, path);
  const { additionalProperties: each } = rest;
  if (typeof each !== "object") throw new Error(`${path}: a schema that allows anything`);
  return Object.entries(value as object).flatMap(([key, item]) =>
    faultsOf(each, item, `${path}.${key}`),
  );
}

function faultsOfNumber(
  { minimum = -Infinity, maximum = Infinity }: Schema,
  value: number,
  path: string,
) {
  return value < minimum || value > maximum ? [`${path} is out of bounds`] : [];
}

function faultsOfObject({ properties = {}, required = [] }: Schema, value: object, path: string) {
  const nestedFaults = Object.entries(properties).flatMap(([name, inner]) => {
    if (name in value) return faultsOf(inner, value[name as keyof typeof value], `${path}.${name}`);
    return required.includes(name) ? [`${path}.${name} is missing`] : [];
  });
  const unknownNames = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return [...nestedFaults, ...unknownNames.map((name) => `${path}.${name} is a stray`)];
}

/** If no alternative fits, returns the faults of the closest one. */
const fewestFaults = (tries: readonly string[][]): string[] =>
  tries.reduce((best, other) => (other.length < best.length ? other : best));

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}
