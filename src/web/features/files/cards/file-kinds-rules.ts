// The kind of preview of a file, by the extension of its name.
import type { IconName } from "../../../content/icon-names.ts";

export type FileKind = "pdf" | "text" | "audio" | "video";

const EXTENSIONS: readonly (readonly [kind: FileKind, extensions: string])[] = [
  ["pdf", "pdf"],
  [
    "text",
    [
      "txt text log md markdown csv tsv json jsonl yaml yml toml ini cfg conf env",
      "properties xml html htm css scss less js mjs cjs jsx ts mts tsx vue svelte py rb",
      "php pl lua sh bash zsh fish bat ps1 c h cc cpp hpp cs go rs java kt kts swift",
      "scala clj ex exs erl hs ml r jl dart sql graphql proto tf dockerfile makefile diff",
      "patch tex rst adoc org srt vtt ics vcf svg",
    ].join(" "),
  ],
  ["audio", "mp3 m4a aac flac wav ogg oga opus weba"],
  ["video", "mp4 m4v webm mov ogv mkv"],
];
const KINDS = new Map(
  EXTENSIONS.flatMap(([kind, all]) => all.split(" ").map((extension) => [extension, kind])),
);
const ICONS: Readonly<Record<FileKind, IconName>> = {
  pdf: "file",
  text: "list",
  audio: "mic",
  video: "video",
};
const CODE = /^(?!txt|text|log|md|markdown|csv|tsv|rst|adoc|org|srt|vtt|ics|vcf)/;
const ARCHIVES = /^(zip|7z|rar|gz|tgz|bz2|xz|zst|tar)$/;
const PICTURES = /^(png|jpe?g|gif|webp|avif|apng|bmp|tiff?|heic|heif|ico|psd|ai|eps)$/;

/** Returns the extension in lower case, or "". A name such as `Makefile` is its own extension. */
function extensionOf(name: string): string {
  const lower = name.toLowerCase();
  return lower.slice(lower.lastIndexOf(".") + 1);
}

/** Undefined for files without a preview. */
export const kindOfFile = (name: string): FileKind | undefined => KINDS.get(extensionOf(name));

export function iconOfFile(name: string): IconName {
  const extension = extensionOf(name);
  const kind = KINDS.get(extension);
  if (kind === "text" && CODE.test(extension)) return "code";
  if (kind) return ICONS[kind];
  if (ARCHIVES.test(extension)) return "layers";
  return PICTURES.test(extension) ? "image" : "file";
}
