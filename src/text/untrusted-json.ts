// Reads untrusted JSON: values of an unexpected type count as missing.

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** undefined if the text is missing or not valid JSON. */
export function jsonIn(json: string | undefined): unknown {
  try {
    return json === undefined ? undefined : (JSON.parse(json) as unknown);
  } catch {
    return undefined;
  }
}

export function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.toWellFormed() : "";
}

/** Returns the objects of a list, up to a limit. */
export function itemsIn(fields: Fields, name: string, items_max: number): Fields[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return Array.isArray(value) ? value.slice(0, items_max).filter(isFields) : [];
}

/** Whether JSON text is nested at most this deep, determined without parsing it. */
export function isShallow(json: string, depth_max: number): boolean {
  let depth = 0;
  let isQuoted = false;
  for (const [character] of json.matchAll(/\\.|["[\]{}]/gs)) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    if (depth > depth_max) return false;
  }
  return true;
}
