// The client uses no web API newer than the oldest browsers that the README supports.
import { expect, test } from "bun:test";
import { refuse, source, type Source, sources } from "../house/source.ts";

/** The oldest supported browsers. */
const BASELINE = { Chrome: 123, Firefox: 128, Safari: 18 } as const;
type Browsers = Readonly<Record<keyof typeof BASELINE, number>>;

/** The API is in no release of this browser that was known when this list was written. */
const NONE = Number.POSITIVE_INFINITY;
const since = (Chrome: number, Firefox: number, Safari: number): Browsers => ({
  Chrome,
  Firefox,
  Safari,
});

const ITERATOR = "(?:drop|every|filter|find|flatMap|forEach|map|reduce|some|take|toArray)";

/** APIs that a supported browser lacks, with the first release of each browser that has them. */
const NEWER_APIS: readonly (readonly [name: string, pattern: RegExp, since: Browsers])[] = [
  ["URL.parse", /\bURL\.parse\(/, since(126, 126, 18)],
  ["Promise.try", /\bPromise\.try\(/, since(128, 134, 18.2)],
  ["RegExp.escape", /\bRegExp\.escape\(/, since(136, 134, 18.2)],
  ["Error.isError", /\bError\.isError\(/, since(134, 138, 26)],
  ["Math.sumPrecise", /\bMath\.(sumPrecise|f16round)\(/, since(147, 137, 26.2)],
  ["Uint8Array base64", /\.(fromBase64|toBase64|fromHex|toHex)\(/, since(140, 133, 18.2)],
  ["Float16Array", /\bFloat16Array\b/, since(135, 129, 18.2)],
  ["Iterator.from", /\bIterator\.(from|concat)\(/, since(122, 131, 18.4)],
  [
    "iterator helpers",
    new RegExp(`(?<!Object)\\.(?:values|keys|entries|matchAll)\\([^()]*\\)\\s*\\.${ITERATOR}\\(`),
    since(122, 131, 18.4),
  ],
  ["Map.getOrInsert", /\.getOrInsert(Computed)?\(/, since(145, 144, 26.2)],
  ["Intl.DurationFormat", /\bIntl\.DurationFormat\b/, since(129, 136, 16.4)],
  ["Temporal", /\bTemporal\./, since(144, 139, NONE)],
  ["regular expression modifiers", /\(\?-?[ims]+(-[ims]+)?:/, since(125, 132, 26)],
  ["explicit resource management", /\busing \w+ = /, since(134, 141, NONE)],
  ["Element.getHTML", /\.getHTML\(/, since(125, 128, 18)],
  ["setHTMLUnsafe", /\b(setHTML|setHTMLUnsafe|parseHTMLUnsafe)\(/, since(124, 123, 17.4)],
  ["Element.moveBefore", /\.moveBefore\(/, since(133, 144, NONE)],
  ["caretPositionFromPoint", /\bcaretPositionFromPoint\(/, since(128, 20, 26.2)],
  ["requestIdleCallback", /\brequestIdleCallback\(/, since(47, 55, NONE)],
  ["scheduler", /\bscheduler\.(yield|postTask)\(/, since(129, 142, NONE)],
  ["scrollend", /["']scrollend["']|onScrollEnd/, since(114, 109, 26.2)],
  ["Navigation API", /\bnavigation\.(navigate|addEventListener)\(/, since(102, 147, 26.2)],
  ["CookieStore", /\bcookieStore\b/, since(87, 140, 18.4)],
  ["URLPattern", /\bnew URLPattern\(/, since(95, 142, 26)],
  ["CloseWatcher", /\bnew CloseWatcher\(/, since(126, 149, NONE)],
  ["dialog.requestClose", /\.requestClose\(/, since(134, 139, 18.4)],
  ["custom highlights", /\bCSS\.highlights\b|\bnew Highlight\(/, since(105, 140, 17.2)],
  ["bytes of a body", /\.bytes\(\)/, since(132, 128, 18)],
  ["iterated ReadableStream", /for await \(.* of .*\.body\b/, since(124, 110, 26.4)],
  ["File System Access", /\bshow(Open|Save)FilePicker\(/, since(86, NONE, NONE)],
  ["sibling-index", /\bsibling-(index|count)\(/, since(138, NONE, 26.2)],
  ["anchor positioning", /\banchor-name\s*:|\bposition-anchor\s*:/, since(125, 147, 26)],
  ["interpolate-size", /\binterpolate-size\s*:/, since(129, NONE, NONE)],
  ["@scope", /@scope\b/, since(118, 146, 17.4)],
];

/** All files that the client can contain: its own, and the pure server files that it imports. */
const FILES = [
  ...sources("src/web/**/*.{ts,tsx}", "src/text/**/*.ts", "src/features/**/*rules.ts"),
  ...[...new Bun.Glob("src/web/**/*.css").scanSync()].map(source),
];

function usesIn({ path, lines }: Source): string[] {
  return lines.flatMap((line, index) =>
    /^\s*(\/\/|\/?\*)/.test(line)
      ? []
      : NEWER_APIS.flatMap(([name, pattern]) =>
          pattern.test(line) ? [`${path}:${index + 1}  ${name}: an older browser lacks it`] : [],
        ),
  );
}

test("uses no web API that is newer than the supported browsers", () => {
  expect(FILES.length).toBeGreaterThan(500);
  refuse(FILES.flatMap(usesIn));
});

test.each(NEWER_APIS.map(([name, , added]) => [name, added] as const))(
  "%s is newer than a supported browser",
  (_, added) => {
    const browsers = Object.keys(BASELINE) as (keyof Browsers)[];
    expect(browsers.some((browser) => added[browser] > BASELINE[browser])).toBe(true);
  },
);

test("the README lists the browsers of this list", () => {
  const { text } = source("README.md");
  for (const [name, version] of Object.entries(BASELINE)) {
    expect(text).toMatch(new RegExp(`${name}[^.\\n]{0,20}\\b${version}\\b`));
  }
});
