// Syntax highlighting never changes the text of code.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { GRAMMARS, grammarOf, WITHIN } from "../../src/text/markdown/grammars.ts";
import { COLOURED_CHARACTERS_MAX } from "../../src/text/markdown/highlight.ts";
import { render } from "../../src/text/markdown/render.ts";
import { CODE_CLASSES } from "./code-classes.ts";
import { testServer } from "./markdown-fixture.ts";

const FENCE = "~~~~~~~~~";
const blockOf = (tag: string, code: string) =>
  render(`${FENCE}${tag}\n${code}\n${FENCE}`, testServer()).html;
const inside = (tag: string, code: string) =>
  blockOf(tag, code).split("<code>")[1]!.split("\n</code>")[0];
const k = (name: string, text: string) => `<span class="${name}">${text}</span>`;

const w = k("w", " ");

test.each([
  [
    "js",
    "let n = 1;",
    k("kd", "let") + w + k("nx", "n") + w + k("o", "=") + w + k("mf", "1") + k("p", ";"),
  ],
  ["ts", "// a < b", k("c1", "// a &lt; b")],
  ["py", 'f"{x}"', k("s2", 'f"') + k("p", "{") + k("n", "x") + k("p", "}") + k("s2", '"')],
  ["c", "int main(){}", k("kt", "int") + w + k("nf", "main") + k("p", "(){}")],
  ["diff", "+ a\n- b", `${k("gi", "+ a")}\n${k("gd", "- b")}`],
  [
    "json",
    '{"a": null}',
    k("p", "{") + k("nt", '"a"') + k("p", ":") + w + k("kc", "null") + k("p", "}"),
  ],
  [
    "css",
    "a { top: 0 }",
    k("nt", "a") +
      w +
      k("p", "{") +
      w +
      k("na", "top") +
      k("p", ":") +
      w +
      k("mi", "0") +
      w +
      k("p", "}"),
  ],
  ["yaml", "a: yes", k("nt", "a") + k("p", ":") + w + k("l", "yes")],
  ["sql", "SELECT 'x'", k("k", "SELECT") + w + k("s1", "'x'")],
  ["bash", "echo $HOME", k("nb", "echo") + w + k("nv", "$HOME")],
])("%s: %s", (tag, code, html) => expect(inside(tag, code)).toBe(html));

test("highlights scripts and styles of a page in their languages", () => {
  const html = inside("html", "<script>let a</script><style>a{}</style>");
  expect(html).toContain(`${k("k", "let")} a`);
  expect(html).toContain(`${k("nt", "a")}{}`);
});

test.each(["zzz", "none", "text", "constructor", "__proto__"])("%s stays plain", (tag) => {
  expect(inside(tag, "let n = 1;")).toBe("let n = 1;");
});

describe("for speed, keeps plain", () => {
  const line = `let a = "${"b".repeat(40)}";\n`;
  const lines = (characters: number) => line.repeat(characters / line.length);

  test("a code that is long", () => {
    expect(blockOf("js", lines(COLOURED_CHARACTERS_MAX - line.length))).toContain("<span class=");
    expect(blockOf("js", lines(COLOURED_CHARACTERS_MAX + line.length))).not.toContain('class="kd"');
  });

  test("a code with a long line", () => {
    expect(inside("js", `let a;\n${"x".repeat(201)}`)).not.toContain("<span");
    expect(inside("js", `let a;\n${"x".repeat(200)}`)).toContain("<span");
  });

  test("code after much other code in the same message", () => {
    const half = `${FENCE}js\n${lines(COLOURED_CHARACTERS_MAX * 0.4)}${FENCE}\n`;
    const { html } = render(half.repeat(3), testServer());
    expect(html.split("<code>").map((code) => code.includes('class="kd"'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

test("every grammar exists, including embedded ones", () => {
  for (const [name, load] of Object.entries(GRAMMARS)) {
    expect(grammarOf(name)).toBe(name);
    expect(typeof load()).toBe("function");
  }
  for (const name of Object.values(WITHIN).flat()) expect(GRAMMARS).toHaveProperty(name);
});

const PIECES = [
  ..."(){}[]<>'\"`/\\#$@%!&|~?,;:.-+*=_0aA \n\t",
  ...[
    "//",
    "/*",
    "*/",
    "<!--",
    "-->",
    "</",
    "<a ",
    "<?php ",
    "${",
    "$(",
    "<<EOF\n",
    "EOF\n",
    'r#"',
  ],
  ...["function ", "class ", "def ", "let ", "select ", "import ", "return", "begin", "end", "=>"],
  ...["<script>", "</script>", "{{", "<%", "%>", '"""', "@a", "0x1f", "1e9", "é", "𝒳", "\u200d"],
  ...["&lt;", "\u0000", "\ud800", "- ", "# ", "```", "\n  ", "x y ", "://a.b"],
];
const source = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((all) => all.join(""));

test.each(Object.keys(GRAMMARS))(
  "%s gives the text back, in known classes, never nested",
  (tag) => {
    fc.assert(
      fc.property(source, (code) => {
        const plain = textOf(parseFragment(blockOf("zzz", code)));
        const fragment = parseFragment(blockOf(tag, code));
        expect(textOf(fragment)).toBe(plain);
        spansOf(fragment, false);
        return true;
      }),
      { seed: 61_000, numRuns: 60 },
    );
  },
);

type Tree = DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.DocumentFragment;

function textOf(node: Tree): string {
  if ("value" in node) return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}

function spansOf(node: Tree, isWithin: boolean): void {
  if (!("childNodes" in node)) return;
  const isSpan = node.nodeName === "span" && "attrs" in node && node.attrs.length > 0;
  if (isSpan) {
    expect(isWithin).toBe(false);
    for (const { value } of node.attrs) expect(CODE_CLASSES.has(value)).toBe(true);
  }
  for (const child of node.childNodes) spansOf(child, isWithin || isSpan);
}
