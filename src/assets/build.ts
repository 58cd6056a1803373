// Builds the browser client: scripts, styles, images, HTML page and service worker.
import { ownValue } from "../text/input/own-value.ts";
import type { BunPlugin } from "bun";
import { join, resolve } from "node:path";
import type { MinifyOptions } from "terser";
import { devDependencies } from "../../package.json";
import { emoji } from "./emoji.ts";
import type { Bytes } from "./files.ts";
import { helpFiles } from "./help-files.ts";
import { faviconNames, iconFiles } from "./icons.ts";
import { markPicture } from "./logo.ts";
import { contentMarks, withOwnNames } from "./script-names.ts";
import { plainRenderer, sanitizer } from "./remove-unused.ts";
import { manifest, shell } from "./shell.ts";
import { closureOf, sharedParts } from "./bundles.ts";
import { words } from "./compile-texts.ts";

export interface BuiltFile {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly bytes: Bytes;
  /** Needed before the first message is displayed. */
  readonly isBoot?: boolean;
}

/** The folder of the client's source. */
export const WEB = join(import.meta.dir, "../web");
/** Scripts that the client loads after its first view. */
const DEFERRED_FILES = ["shell/deferred.ts", "features/compose/composer-parts.ts"].map((path) =>
  join(WEB, path),
);
const ASSETS = "/assets/";
/** Rules in a later layer win over those in an earlier one. */
const LAYERS = "@layer reset,tokens,base,ui,features,content,modes;";
/** Style sheets in the order of their layers. */
const SHEETS = ["tokens", "base", "ui/**/*", "feed/**/*", "shell/**/*", "features/**/*"].map(
  (glob) => `${glob}.css`,
);
const LAST_SHEETS = "content/**/*.css";
/** Styles of parts with their own scripts, which the first view does not need. */
const LATER_SHEETS = [
  ...["settings", "organization", "onboarding", "menus", "shortcuts"].map(
    (feature) => `features/${feature}/*.css`,
  ),
  "features/files/cards/*.css",
  "features/sidebar/lazy.css",
  "features/emoji/*.css",
  "features/pins/*.css",
  "ui/toast.css",
];
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

interface BundleOptions {
  readonly minify: boolean;
  /** Collects the paths of all sources. */
  readonly inputs?: Set<string>;
}

export async function buildClient(building: BundleOptions): Promise<BuiltFile[]> {
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
  const laterPaths = [laterStyle, ...lateScripts].map(({ path }) => path);
  const workers = [
    await worker("sw", building, {
      SKEIN_PRECACHED: JSON.stringify(precached),
      SKEIN_LATER: JSON.stringify(laterPaths),
    }),
    await worker("poll", building, {}),
    await buildWorker("signed-out", "sync/unsent/signed-out.ts", building, {}),
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
    ...help.pages.map(({ path, html }) => builtFile(path, HTML, encoded(html))),
    ...workers,
    builtFile("/manifest.webmanifest", "application/manifest+json", encoded(manifest(iconAt))),
    builtFile(
      "/",
      HTML,
      encoded(shell({ boot, style: style.path, icon, touchIcon: touchIcon.path })),
    ),
  ];
}

/** The scripts of an entry point, which comes first; its static imports are boot scripts too. */
async function bundle(
  entry: string,
  { minify, inputs }: BundleOptions,
  define: Record<string, string>,
): Promise<BuiltFile[]> {
  const bundleWith = (more: readonly BunPlugin[]) =>
    Bun.build({
      entrypoints: [join(WEB, entry)],
      target: "browser",
      splitting: true,
      minify,
      metafile: true,
      // Scripts are in the same folder.
      publicPath: "./",
      naming: {
        entry: "[name]-[hash].[ext]",
        chunk: "[name]-[hash].[ext]",
        asset: "[name]-[hash].[ext]",
      },
      // Files that a plugin resolves do not use the client's tsconfig.json.
      jsx: { runtime: "automatic", importSource: "preact" },
      plugins: [...more, words, emoji, plainRenderer, sanitizer],
      define: { "process.env.NODE_ENV": '"production"', ...define },
    });
  const separateBundle = await bundleWith([]);
  const sources = Object.keys(separateBundle.metafile!.inputs);
  for (const path of sources) inputs?.add(path);
  const hasLater = sources.some((path) => DEFERRED_FILES.includes(resolve(path)));
  const built = hasLater
    ? await bundleWith([sharedParts(separateBundle.metafile!.outputs, DEFERRED_FILES, bootOf)])
    : separateBundle;
  const boot = new Set([...bootOf(built.metafile!.outputs)].map(nameOf));
  const texts = new Map<string, string>();
  for (const output of built.outputs) texts.set(nameOf(output.path), await output.text());
  const renamed = contentMarks(texts, minify ? MINIFIER : "");
  const renamedTexts = new Map([...texts].map(([name, text]) => [renamed(name), renamed(text)]));
  const first = renamed(nameOf(entryOf(built.metafile!.outputs)));
  const isBoot = new Set([...boot].map(renamed));
  const files = [...(minify ? await minified(renamedTexts, first) : renamedTexts)].map(
    ([name, text]) => {
      const kind = name.slice(name.lastIndexOf(".") + 1);
      const type = ownValue(TYPES, kind) ?? "application/octet-stream";
      return { ...builtFile(ASSETS + name, type, encoded(text)), isBoot: isBoot.has(name) };
    },
  );
  return files.sort((a, b) => Number(b.isBoot) - Number(a.isBoot));
}

const MINIFIED: MinifyOptions = { module: true, ecma: 2020, compress: { passes: 2 } };
/**
 * Included in the names of the scripts, because the minifier chooses the names of the exports by
 * which scripts import each other.
 */
const MINIFIER = JSON.stringify([devDependencies.terser, MINIFIED]);

/** Minifies Bun's output further, which saves about 5 % of the compressed size. */
async function minified(texts: Map<string, string>, first: string): Promise<Map<string, string>> {
  // The minifier is loaded only here: a client that is served from its source is not minified.
  const { minify } = await import("terser");
  const smaller = async ([name, text]: [string, string]) =>
    [name, name.endsWith(".js") ? (await minify(text, MINIFIED)).code! : text] as const;
  return withOwnNames(new Map(await Promise.all([...texts].map(smaller))), first);
}

const worker = (name: string, building: BundleOptions, define: Record<string, string>) =>
  buildWorker(name, `worker/${name}.ts`, building, define);

/**
 * Builds a worker as a single file with a fixed name, because browsers identify workers by their
 * URL.
 */
async function buildWorker(
  name: string,
  entry: string,
  building: BundleOptions,
  define: Record<string, string>,
): Promise<BuiltFile> {
  const [file] = await bundle(entry, building, define);
  return builtFile(`/${name}.js`, TYPES["js"]!, file!.bytes);
}

/** The entry point and all its static imports. */
function bootOf(outputs: Bun.BuildMetafile["outputs"]): Set<string> {
  return closureOf(outputs, entryOf(outputs));
}

const entryOf = (outputs: Bun.BuildMetafile["outputs"]) =>
  Object.keys(outputs).find((path) => outputs[path]!.entryPoint !== undefined)!;

const nameOf = (path: string) => path.replace(/^\.\//, "");

/** Built with Bun as the target, because for browsers Bun would expand modern CSS. */
async function styles(minify: boolean): Promise<string> {
  const laterFiles = new Set(laterSheets());
  const sheets = filesMatching([...SHEETS, LAST_SHEETS]).filter((path) => !laterFiles.has(path));
  return LAYERS + (await sheetOf(sheets, minify));
}

const laterSheets = (): string[] => filesMatching(LATER_SHEETS);

const filesMatching = (globs: readonly string[]): string[] =>
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
  return builtFile(
    `${ASSETS}${name}-${hashOf(bytes).slice(0, MARK_LENGTH)}.${extension}`,
    ownValue(TYPES, extension)!,
    bytes,
  );
}

function builtFile(path: string, type: string, bytes: Bytes): BuiltFile {
  return { path, type, bytes, etag: `"${hashOf(bytes)}"` };
}

const encoded = (text: string): Bytes => new TextEncoder().encode(text);

function hashOf(bytes: Bytes): string {
  return Bun.hash(bytes).toString(36).padStart(13, "0").slice(0, 10);
}
