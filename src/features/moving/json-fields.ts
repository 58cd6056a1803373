// Extracts values of the expected types from untrusted JSON; everything else counts as absent.
import { isFields } from "../../text/untrusted-json.ts";

/** The shape of a list is that of its items. A function allows recursive shapes. */
export type Shape =
  | "text"
  | "number"
  | "bool"
  | "any"
  | readonly [Shape]
  | (() => Shape)
  | { readonly [field: string]: Shape };

/** Longer lists are truncated. */
const ITEMS_MAX = 100_000;

export function shapeValue(value: unknown, shape: Shape): unknown {
  if (typeof shape === "function") return shapeValue(value, shape());
  switch (shape) {
    case "text":
      return typeof value === "string" ? value.toWellFormed().replaceAll("\0", "") : undefined;
    case "number":
      return typeof value === "number" && Number.isFinite(value) ? value : undefined;
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "any":
      return value;
  }
  return Array.isArray(shape) ? listOf(value, shape[0] as Shape) : fieldsOf(value, shape);
}

function listOf(value: unknown, shape: Shape): unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, ITEMS_MAX).flatMap((item) => {
    const element = shapeValue(item, shape);
    return element === undefined ? [] : [element];
  });
}

function fieldsOf(value: unknown, shape: Shape): object | undefined {
  if (!isFields(value)) return undefined;
  const fields: Record<string, unknown> = {};
  for (const [field, inner] of Object.entries(shape)) {
    const shaped = Object.hasOwn(value, field) ? shapeValue(value[field], inner) : undefined;
    if (shaped !== undefined) fields[field] = shaped;
  }
  return fields;
}
