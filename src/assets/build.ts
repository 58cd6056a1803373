// Builds the browser client: scripts, styles, pictures, the page that starts it, its worker.
import { ownValue } from "../text/input/own-value.ts";
import type { BunPlugin } from "bun";
import { join, resolve } from "node:path";
import { emoji } from "./emoji.ts";
import type { Bytes } from "./files.ts";
import { helpFiles } from "./help-files.ts";
import { faviconNames, iconFiles } from "./icons.ts";
import { markPicture } from "./mark.ts";
import { contentMarks } from "./marks.ts";
import { plainRenderer } from "./plain.ts";
import { manifest, shell } from "./shell.ts";
import { closureOf, together } from "./together.ts";
import { words } from "./words.ts";

export interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly bytes: Bytes;
  /** Asked for before the first message can be seen. */
  readonly isBoot?: boolean;
}

/** The folder of the client's source. */
export const WEB = join(import.meta.dir, "../web");
/** Scripts that the client loads after its first view. */
const LATER = ["late.ts", "features/compose/loaded.ts"].map((path) => join(WEB, path));
const ASSETS = "/assets/";
/** Rules in a later layer win over those in an earlier one. */
const LAYERS = "@layer reset,tokens,base,ui,features,content,modes;";
/** Style sheets in the order of their layers. */
const SHEETS = ["tokens.css", "base.css", "ui/**/*.css", "feed/**/*.css", "features/**/*.css"];
const LAST_SHEETS = "content/**/*.css";
/** Styles of pages with their own scripts, which the first view does not need. */
const LATER_SHEETS = ["settings", "organization", "founding"].map(
  (feature) => `features/${feature}/*.css`,
);
const HELP_SHEETS = ["tokens.css", "help.css"];
const HTML = "text/html; charset=utf-8";
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  json: "application/json",
  webp: "image/webp",
  png: "image/png",
};

/** Size of the icon on a phone's home screen, which the system crops. */
const TOUCH_ICON_PIXELS = 180;

/** Length of the content hash in a file name. */
const MARK_LENGTH = 6;

interface Building {
  readonly minify: boolean;
  /** Collects the paths of all sources. */
  readonly taken?: Set<string>;
}

export async function buildClient(building: Building): Promise<BuiltFile[]> {
  const icons = iconFiles().map(({ name, text }) => hashed(name, "svg", text));
  const touchPicture = markPicture(TOUCH_ICON_PIXELS, { scale: 1, stroke: 2 });
  const touchIcon = hashed("app", "png", touchPicture);
  const iconAt = (name: string) =>
    icons.find(({ path }) => path.startsWith(`${ASSETS}${name}-`))!.path;
  const favicons = Object.fromEntries(
    faviconNames.map((name) => [name, iconAt(`favicon-${name}`)]),
  );
  const sprite = hashed("icons", "svg", await Bun.file(join(WEB, "ui/icons.svg")).text());
  const laterStyle = hashed("later", "css", await sheetOf(laterSheets(), building.minify));
  const define = {
    SKEIN_LATER_STYLE: JSON.stringify(laterStyle.path),
    SKEIN_FAVICONS: JSON.stringify(favicons),
    SKEIN_ICONS: JSON.stringify(sprite.path),
  };
  const helpStyle = hashed("help", "css", await sheetOf(HELP_SHEETS, building.minify));
  const [helpScript] = await bundle("help/help.ts", building, {});
  const help = await helpFiles(helpStyle.path, helpScript!.path, hashed);
  const scripts = await bundle("main.tsx", building, {
    ...define,
    SKEIN_HELP: JSON.stringify(help.titles),
  });
  const style = hashed("style", "css", await styles(building.minify));
  const icon = favicons["none"]!;
  const boot = scripts.filter(({ isBoot }) => isBoot).map(({ path }) => path);
  const precached = [...boot, style.path, sprite.path, icon];
  const lateScripts = scripts.filter(({ isBoot }) => !isBoot);
  const later = [laterStyle, ...lateScripts].map(({ path }) => path);
  const workers = [
    await worker("sw", building, {
      SKEIN_PRECACHED: JSON.stringify(precached),
      SKEIN_LATER: JSON.stringify(later),
    }),
    await worker("poll", building, {}),
    await named("signed-out", "sync/unsent/signed-out.ts", building, {}),
  ];
  return [
    ...icons,
    touchIcon,
    sprite,
    ...scripts,
    { ...style, isBoot: true },
    { ...laterStyle, isBoot: false },
    helpStyle,
    { ...helpScript!, isBoot: false },
    ...help.files,
    ...help.pages.map(({ path, html }) => at(path, HTML, encoded(html))),
    ...workers,
    at("/manifest.webmanifest", "application/manifest+json", encoded(manifest(iconAt))),
    at("/", HTML, encoded(shell({ boot, style: style.path, icon, touchIcon: touchIcon.path }))),
  ];
}

/** Scripts of an entry, which comes first; others that it needs at once are boot too. */
async function bundle(
  entry: string,
  { minify, taken }: Building,
  define: Record<string, string>,
): Promise<BuiltFile[]> {
  const cut = (more: readonly BunPlugin[]) =>
    Bun.build({
      entrypoints: [join(WEB, entry)],
      target: "browser",
      splitting: true,
      minify,
      metafile: true,
      // Scripts lie beside each other.
      publicPath: "./",
      naming: {
        entry: "[name]-[hash].[ext]",
        chunk: "[name]-[hash].[ext]",
        asset: "[name]-[hash].[ext]",
      },
      // Files that a plugin resolves do not use the client's tsconfig.json.
      jsx: { runtime: "automatic", importSource: "preact" },
      plugins: [...more, words, emoji, plainRenderer],
      define: { "process.env.NODE_ENV": '"production"', ...define },
    });
  const apart = await cut([]);
  const sources = Object.keys(apart.metafile!.inputs);
  for (const path of sources) taken?.add(path);
  const hasLater = sources.some((path) => LATER.includes(resolve(path)));
  const built = hasLater ? await cut([together(apart.metafile!.outputs, LATER, bootOf)]) : apart;
  const boot = new Set([...bootOf(built.metafile!.outputs)].map(nameOf));
  const texts = new Map<string, string>();
  for (const output of built.outputs) texts.set(nameOf(output.path), await output.text());
  const renamed = contentMarks(texts);
  // Minified after that: names in a script have a share in how its variables are called.
  const files = [...texts].map(async ([name, made]) => {
    const kind = name.slice(name.lastIndexOf(".") + 1);
    const text = renamed(made);
    const contents = encoded(minify && kind === "js" ? await smaller(text) : text);
    return {
      ...at(ASSETS + renamed(name), ownValue(TYPES, kind) ?? "application/octet-stream", contents),
      isBoot: boot.has(name),
    };
  });
  const all = await Promise.all(files);
  return all.sort((a, b) => Number(b.isBoot) - Number(a.isBoot));
}

/** Minifies Bun's output further, by a twentieth when compressed. */
async function smaller(script: string): Promise<string> {
  // Not where the client is served from its source.
  const { minify } = await import("terser");
  return (await minify(script, { module: true, ecma: 2020 })).code!;
}

const worker = (name: string, building: Building, define: Record<string, string>) =>
  named(name, `worker/${name}.ts`, building, define);

/** In one file each, whose name stays the same: browsers know it by that. */
async function named(
  name: string,
  entry: string,
  building: Building,
  define: Record<string, string>,
): Promise<BuiltFile> {
  const [file] = await bundle(entry, building, define);
  return at(`/${name}.js`, TYPES["js"]!, file!.bytes);
}

/** The entry and all that it imports at once. */
function bootOf(outputs: Bun.BuildMetafile["outputs"]): Set<string> {
  const entry = Object.keys(outputs).find((path) => outputs[path]!.entryPoint !== undefined)!;
  return closureOf(outputs, entry);
}

const nameOf = (path: string) => path.replace(/^\.\//, "");

/** For a browser Bun would write modern rules out at length, so they are built as for itself. */
async function styles(minify: boolean): Promise<string> {
  const later = new Set(laterSheets());
  const sheets = foundBy([...SHEETS, LAST_SHEETS]).filter((path) => !later.has(path));
  return LAYERS + (await sheetOf(sheets, minify));
}

const laterSheets = (): string[] => foundBy(LATER_SHEETS);

const foundBy = (globs: readonly string[]): string[] =>
  globs.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: WEB })].sort());

async function sheetOf(sheets: readonly string[], minify: boolean): Promise<string> {
  const entry = join(WEB, "style.css");
  const built = await Bun.build({
    entrypoints: [entry],
    files: { [entry]: sheets.map((path) => `@import "./${path}";`).join("\n") },
    target: "bun",
    minify,
    naming: "[name].[ext]",
  });
  return await built.outputs[0]!.text();
}

function hashed(name: string, extension: string, contents: string | Bytes): BuiltFile {
  const bytes = typeof contents === "string" ? encoded(contents) : contents;
  return at(
    `${ASSETS}${name}-${hashOf(bytes).slice(0, MARK_LENGTH)}.${extension}`,
    ownValue(TYPES, extension)!,
    bytes,
  );
}

function at(path: string, type: string, bytes: Bytes): BuiltFile {
  return { path, type, bytes, etag: `"${hashOf(bytes)}"` };
}

const encoded = (text: string): Bytes => new TextEncoder().encode(text);

function hashOf(bytes: Bytes): string {
  return Bun.hash(bytes).toString(36).padStart(13, "0").slice(0, 10);
}
