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
  return faultsIn(schema as Schema, value).map((fault) => path + fault);
}

const NONE: readonly string[] = [];

/** Each line begins with the path from the value on. Paths are built only if there is a fault. */
function faultsIn(schema: Schema, value: unknown): readonly string[] {
  const { type, anyOf, items } = schema;
  if (anyOf) return fewestFaults(anyOf, value);
  if ("const" in schema) return value === schema.const ? NONE : [` is not ${String(schema.const)}`];
  if (schema.enum)
    return schema.enum.includes(value) ? NONE : [` is none of ${schema.enum.join(", ")}`];
  if (type === undefined) return value === undefined ? [" is not there"] : NONE;
  if (!isOf(type, value)) return [` is no ${type}`];
  if (typeof value === "number") return faultsOfNumber(schema, value);
  if (items) return faultsOfItems(items, value as unknown[]);
  if (type !== "object") return NONE;
  if (schema.properties) return faultsOfObject(schema, value as object);
  const { additionalProperties: each } = schema;
  if (typeof each !== "object") throw new Error("a schema allows anything");
  return Object.entries(value as object).flatMap(([key, item]) =>
    below(`.${key}`, faultsIn(each, item)),
  );
}

function faultsOfNumber({ minimum = -Infinity, maximum = Infinity }: Schema, value: number) {
  return value < minimum || value > maximum ? [" is out of bounds"] : NONE;
}

function faultsOfItems(schema: Schema, items: readonly unknown[]): readonly string[] {
  let all = NONE;
  for (let index = 0; index < items.length; index++) {
    const faults = faultsIn(schema, items[index]);
    if (faults.length > 0) all = [...all, ...below(`[${index}]`, faults)];
  }
  return all;
}

function faultsOfObject(schema: Schema, value: object): readonly string[] {
  const { properties = {}, required = [] } = schema;
  let all = NONE;
  for (const [name, inner] of propertiesOf(schema)) {
    const isThere = name in value;
    if (!isThere && !required.includes(name)) continue;
    const faults = isThere ? faultsIn(inner, value[name as keyof typeof value]) : [" is missing"];
    if (faults.length > 0) all = [...all, ...below(`.${name}`, faults)];
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(properties, name)) all = [...all, `.${name} is a stray`];
  }
  return all;
}

const below = (path: string, faults: readonly string[]) => faults.map((fault) => path + fault);

const knownProperties = new WeakMap<Schema, readonly [string, Schema][]>();

function propertiesOf(schema: Schema): readonly [string, Schema][] {
  let entries = knownProperties.get(schema);
  if (!entries) knownProperties.set(schema, (entries = Object.entries(schema.properties ?? {})));
  return entries;
}

/** If no alternative fits, returns the faults of the closest one. */
function fewestFaults(alternatives: readonly Schema[], value: unknown): readonly string[] {
  let best: readonly string[] | undefined;
  for (const alternative of alternatives) {
    const faults = faultsIn(alternative, value);
    if (faults.length === 0) return NONE;
    if (!best || faults.length < best.length) best = faults;
  }
  return best ?? NONE;
}

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
