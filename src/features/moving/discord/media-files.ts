// Finds the files of a Discord export by the paths that its messages name.
import { decodeUrlPart } from "../../../text/input/decode-url-part.ts";
import type { Archive } from "../archive/entries.ts";

/**
 * Paths are relative to the JSON file or to a folder above it, with the separator of the exporter's
 * system.
 */
export function assetOf(
  { sizes }: Archive,
  file: string,
  url: string | undefined,
): string | undefined {
  if (!url || /^https?:/i.test(url)) return undefined;
  const parts = url.replaceAll("\\", "/").split("/");
  const path = parts.filter((part) => part !== "" && part !== "." && part !== "..").join("/");
  // If the path is absolute, the folder with the files may still be next to the JSON file.
  const pathEnd = path.split("/").slice(-2).join("/");
  const names = [path, decodeUrlPart(path), pathEnd, decodeUrlPart(pathEnd)];
  for (let folder = file; folder !== "";) {
    folder = folder.slice(0, folder.lastIndexOf("/", folder.length - 2) + 1);
    const fileName = names.find((name) => sizes.has(folder + name));
    if (fileName !== undefined) return folder + fileName;
  }
  return undefined;
}
