// Compresses the client for the executable, and generates the module that lists its embedded files.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { BuiltFile } from "./build.ts";
import type { CompressedFile } from "./embedded.ts";

/** Smaller files are also embedded uncompressed. */
const PLAIN_BYTES_MAX = 1024;
const GZIP_LEVEL = 9;

/** Window sizes to try; which one compresses best differs by some hundred bytes. */
const BROTLI_OPTIONS = [
  {},
  { [constants.BROTLI_PARAM_LGBLOCK]: 16 },
  { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT },
];

/** Maximum compression, since it runs once per build. */
export function brotli(bytes: Uint8Array): Uint8Array {
  const all = BROTLI_OPTIONS.map((cut) =>
    brotliCompressSync(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        ...cut,
      },
    }),
  );
  return all.reduce((best, source) => (source.length < best.length ? source : best));
}

/**
 * Returns the source of the module that replaces `from-source.ts`. The files that it embeds are in
 * `folder`.
 */
export async function embeddedClient(files: readonly BuiltFile[], folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const imports: string[] = [];
  const embed = async (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    await Bun.write(path, bytes);
    imports.push(`import f${imports.length} from ${JSON.stringify(path)} with { type: "file" };`);
    return `f${imports.length - 1}`;
  };
  const rows: string[] = [];
  for (const [index, { path, type, etag, bytes }] of files.entries()) {
    const forms: Record<keyof Pick<CompressedFile, "br" | "gzip">, Uint8Array> = {
      br: brotli(bytes),
      gzip: gzipSync(bytes, { level: GZIP_LEVEL }),
    };
    const parts = [`path: ${JSON.stringify(path)}`, `type: ${JSON.stringify(type)}`];
    parts.push(`etag: ${JSON.stringify(etag)}`);
    for (const [form, packed] of Object.entries(forms)) {
      parts.push(`${form}: ${await embed(`${index}.${form}`, packed)}`);
    }
    if (bytes.length <= PLAIN_BYTES_MAX)
      parts.push(`uncompressed: ${await embed(`${index}.plain`, bytes)}`);
    rows.push(`  { ${parts.join(", ")} },`);
  }
  const packedModule = JSON.stringify(join(import.meta.dir, "embedded.ts"));
  return `${imports.join("\n")}
import { fromExecutable } from ${packedModule};
export const openClient = () => fromExecutable([
${rows.join("\n")}
]);
`;
}
