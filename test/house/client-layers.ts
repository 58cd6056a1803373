/** The layers of the web client: each file imports from its own layer and from those below. */
import { importsOf, type Source } from "./source.ts";

/** From the bottom to the top. */
const LAYERS = [
  // Functions of their arguments and of the device: texts, rendering, addresses.
  "pure",
  // Types of the protocol.
  "contract",
  // Elements of the interface that are independent of features.
  "kit",
  // Requests.
  "api",
  // State, reducers and selectors.
  "store",
  // Polling, the caches on disk, pending mutations, and the election of a leading tab.
  "sync",
  // Whether the user can do something.
  "permissions",
  // Changes that the user asks for.
  "actions",
  // Components, and code that only they use.
  "views",
  // The page around the views.
  "shell",
] as const;
type Layer = (typeof LAYERS)[number];

const FOLDERS: Readonly<Record<string, Layer>> = {
  words: "pure",
  content: "pure",
  render: "pure",
  ui: "kit",
  feed: "kit",
  contract: "contract",
  api: "api",
  store: "store",
  sync: "sync",
  shell: "shell",
};

const FILES: Readonly<Record<string, Layer>> = {
  "ime.ts": "pure",
  "conversation-keys.ts": "pure",
  "device-storage.ts": "pure",
  "touch-screen.ts": "pure",
  "matching.ts": "pure",
  "scripts.ts": "pure",
  "trusted-types.ts": "pure",
  "views.ts": "pure",
  "main.tsx": "shell",
};

/** The layer of a feature's file, by the last word of its name. Any other file is a view's. */
const NAMES: Readonly<Record<string, Layer>> = {
  rules: "pure",
  state: "store",
  selectors: "store",
  sync: "sync",
  permissions: "permissions",
  actions: "actions",
};

/**
 * The views of features, from the bottom to the top: those of one layer do not import each other.
 * Code that two of them share moves into a lower layer.
 */
const VIEW_LAYERS: readonly (readonly string[])[] = [
  ["emoji", "page", "reminders", "share", "shortcuts", "typing", "uploads", "voice", "widgets"],
  ["lists", "pins", "presence", "reactions", "search", "topic-notes"],
  ["pinned", "recent"],
  ["files", "inbox", "palette", "typeahead"],
  ["editor", "picker", "recipient"],
  ["drafts", "move", "settings"],
  ["administration", "compose", "notifications", "topics"],
  ["editing", "people"],
  ["groups", "messages"],
  ["channels"],
  ["menus", "organization"],
  ["conversation", "onboarding", "sidebar"],
  ["spectator", "topic-list"],
];

/** Separate programs, which import what they need. */
const ROOTS = /^src\/web\/(worker|help)\//;
const WEB = "src/web/";

/** Undefined for a file that belongs to no layer. */
function layerOf(path: string): Layer | undefined {
  if (!path.startsWith(WEB)) return "pure";
  const [top = "", ...rest] = path.slice(WEB.length).split("/");
  if (rest.length === 0) return FILES[top];
  if (top !== "features") return FOLDERS[top];
  const name = /([a-z]+)\.ts$/.exec(path)?.[1] ?? "";
  return (Object.hasOwn(NAMES, name) && NAMES[name]) || "views";
}

const heightOf = (layer: Layer) => LAYERS.indexOf(layer);

const clientFiles = (files: readonly Source[]) =>
  files.filter(({ path }) => path.startsWith(WEB) && !ROOTS.test(path));

export const withoutLayer = (files: readonly Source[]): string[] =>
  clientFiles(files).flatMap(({ path }) => (layerOf(path) ? [] : [path]));

/** Imports of a higher layer. */
export function upwardInClient(files: readonly Source[]): string[] {
  return clientFiles(files).flatMap((file) => {
    const own = layerOf(file.path);
    if (!own) return [];
    const violations = importsOf(file).flatMap(({ path }) => {
      const other = path.startsWith("src/") ? layerOf(path) : undefined;
      const isUpward = other !== undefined && heightOf(other) > heightOf(own);
      return isUpward || ROOTS.test(path)
        ? [`${file.path} (${own}) imports ${path} (${other})`]
        : [];
    });
    return [...new Set(violations)];
  });
}

/** Imports between the views of features that do not go to a lower layer. */
export function upwardInViews(files: readonly Source[]): string[] {
  const levels = new Map(VIEW_LAYERS.flatMap((names, level) => names.map((name) => [name, level])));
  const levelOf = (path: string) => {
    const [layer, feature = ""] = nodeOf(path)?.split("/") ?? [];
    return layer === "views" ? { feature, level: levels.get(feature) ?? -1 } : undefined;
  };
  return clientFiles(files).flatMap((file) => {
    const own = levelOf(file.path);
    if (!own) return [];
    if (own.level === -1) return [`${file.path}  is of a feature that is not in VIEW_LAYERS`];
    const violations = importsOf(file).flatMap(({ path }) => {
      const other = path.startsWith(WEB) ? levelOf(path) : undefined;
      if (!other || other.feature === own.feature || other.level < own.level) return [];
      return [`${file.path}  goes up to ${path}`];
    });
    return [...new Set(violations)];
  });
}

/** Features that import each other in a cycle within one layer, as `layer: a, b`. */
export function knotsInClient(files: readonly Source[]): string[] {
  const targetsByNode = new Map<string, Set<string>>();
  for (const file of clientFiles(files)) {
    const from = nodeOf(file.path);
    for (const { path } of importsOf(file)) {
      const to = path.startsWith(WEB) ? nodeOf(path) : undefined;
      if (!from || !to || from === to || layerOf(path) !== layerOf(file.path)) continue;
      const targets = targetsByNode.get(from) ?? new Set();
      targetsByNode.set(from, targets.add(to));
    }
  }
  const reachable = new Map(
    [...targetsByNode.keys()].map((node) => [node, reachedFrom(node, targetsByNode)]),
  );
  return [...targetsByNode.keys()].flatMap((node) => {
    const circle = [...reachable.get(node)!].filter((other) => reachable.get(other)?.has(node));
    return circle.length > 1 && circle.toSorted()[0] === node ? [circle.toSorted().join(", ")] : [];
  });
}

function reachedFrom(start: string, targetsByNode: ReadonlyMap<string, ReadonlySet<string>>) {
  const reachable = new Set<string>();
  const queue = [start];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    for (const next of targetsByNode.get(node) ?? []) {
      if (reachable.has(next)) continue;
      reachable.add(next);
      queue.push(next);
    }
  }
  return reachable;
}

/** `views/search` for a view of the search; undefined outside of features. */
function nodeOf(path: string): string | undefined {
  const feature = /^src\/web\/features\/([^/]+)\//.exec(path)?.[1];
  return feature && `${layerOf(path)}/${feature}`;
}
