// Code is highlighted like Pygments does it, whose classes clients know; uses recorded output.
import { expect, test } from "bun:test";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { render } from "../../src/text/markdown/render.ts";
import { CODE_CLASSES } from "./code-classes.ts";
import { renderContext } from "./markdown-fixture.ts";
import recorded from "./pygments/recorded.json";

const FENCE = "~~~~~~";
/** Minimum number of equal spans per thousand, over the twenty samples. */
const ALIKE_OF_THOUSAND_MIN = 800;

type Span = [place: number, name: string, text: string];

function spansOf(tag: string, code: string): Span[] {
  const { html } = render(`${FENCE}${tag}\n${code}\n${FENCE}`, renderContext());
  const inside = parseFragment(html.split("<code>")[1]!.split("</code>")[0]!);
  let index = 0;
  return inside.childNodes.map((node) => {
    const { attrs } = node as DefaultTreeAdapterTypes.Element;
    const [child] = attrs ? (node as DefaultTreeAdapterTypes.Element).childNodes : [node];
    const { value } = child as DefaultTreeAdapterTypes.TextNode;
    const span: Span = [index, attrs?.[0]?.value ?? "", value];
    index += value.length;
    return span;
  });
}

test("four of five spans match Pygments, and the text is the same", () => {
  let [similar, all] = [0, 0];
  for (const { tag, code, spans } of recorded) {
    const own = spansOf(tag, code);
    expect(own.map(([, , text]) => text).join("")).toBe(code);
    for (const [, name] of own) if (name !== "") expect(CODE_CLASSES.has(name)).toBe(true);
    const ownSpans = new Set(own.map((span) => JSON.stringify(span)));
    let index = 0;
    for (const [name, text] of spans as [string, string][]) {
      if (name !== "") all += 1;
      if (name !== "" && ownSpans.has(JSON.stringify([index, name, text]))) similar += 1;
      index += text.length;
    }
  }
  expect(recorded).toHaveLength(20);
  expect((similar * 1_000) / all).toBeGreaterThanOrEqual(ALIKE_OF_THOUSAND_MIN);
});

test("loses no character between the parts", () => {
  const code = "a² ½b $_1 é\u0301 \u{1d7d8} 'x' ١٢ <=>\u200b;";
  for (const { tag } of recorded) {
    const own = spansOf(tag, code).map(([, , text]) => text);
    expect(own.join("")).toBe(`${code}\n`);
  }
});
