// Reads a list of records in a file of a Slack export.
import { bytesOf } from "../archive/archive.ts";
import type { Archive } from "../archive/entries.ts";
import { MovingRefused } from "../errors.ts";
import { type Shape, shapeValue } from "../json-fields.ts";
import { parsed } from "../json-lines.ts";

/** Values that are not objects count as objects without fields. */
export async function listIn<T extends object>(
  archive: Archive,
  name: string,
  shape: Shape,
): Promise<T[]> {
  if (!archive.sizes.has(name)) return [];
  // Programs in Go, such as slackdump, write an empty list as null.
  const value = parsed(await bytesOf(archive, name), name) ?? [];
  if (!Array.isArray(value)) throw new MovingRefused("not a list", name);
  // The validated shape has the fields of the type.
  return value.map((item) => (shapeValue(item, shape) ?? {}) as T);
}
