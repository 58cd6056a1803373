// Syntax highlighting never changes the text of code.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseFragment } from "parse5";
import type { DefaultTreeAdapterTypes } from "parse5";
import { GRAMMARS, grammarOf, EMBEDDED_LANGUAGES } from "../../src/text/markdown/grammars.ts";
import { COLORED_CHARACTERS_MAX } from "../../src/text/markdown/highlight.ts";
import { render } from "../../src/text/markdown/render.ts";
import { CODE_CLASSES } from "./code-classes.ts";
import { renderContext } from "./markdown-fixture.ts";

const FENCE = "~~~~~~~~~";
const blockOf = (tag: string, code: string) =>
  render(`${FENCE}${tag}\n${code}\n${FENCE}`, renderContext()).html;
const codeInside = (tag: string, code: string) =>
  blockOf(tag, code).split("<code>")[1]!.split("\n</code>")[0];
const spanNamed = (name: string, text: string) => `<span class="${name}">${text}</span>`;

const w = spanNamed("w", " ");

test.each([
  [
    "js",
    "let n = 1;",
    spanNamed("kd", "let") +
      w +
      spanNamed("nx", "n") +
      w +
      spanNamed("o", "=") +
      w +
      spanNamed("mf", "1") +
      spanNamed("p", ";"),
  ],
  ["ts", "// a < b", spanNamed("c1", "// a &lt; b")],
  [
    "py",
    'f"{x}"',
    spanNamed("s2", 'f"') +
      spanNamed("p", "{") +
      spanNamed("n", "x") +
      spanNamed("p", "}") +
      spanNamed("s2", '"'),
  ],
  [
    "c",
    "int main(){}",
    spanNamed("kt", "int") + w + spanNamed("nf", "main") + spanNamed("p", "(){}"),
  ],
  ["diff", "+ a\n- b", `${spanNamed("gi", "+ a")}\n${spanNamed("gd", "- b")}`],
  [
    "json",
    '{"a": null}',
    spanNamed("p", "{") +
      spanNamed("nt", '"a"') +
      spanNamed("p", ":") +
      w +
      spanNamed("kc", "null") +
      spanNamed("p", "}"),
  ],
  [
    "css",
    "a { top: 0 }",
    spanNamed("nt", "a") +
      w +
      spanNamed("p", "{") +
      w +
      spanNamed("na", "top") +
      spanNamed("p", ":") +
      w +
      spanNamed("mi", "0") +
      w +
      spanNamed("p", "}"),
  ],
  ["yaml", "a: yes", spanNamed("nt", "a") + spanNamed("p", ":") + w + spanNamed("l", "yes")],
  ["sql", "SELECT 'x'", spanNamed("k", "SELECT") + w + spanNamed("s1", "'x'")],
  ["bash", "echo $HOME", spanNamed("nb", "echo") + w + spanNamed("nv", "$HOME")],
])("%s: %s", (tag, code, html) => expect(codeInside(tag, code)).toBe(html));

test("highlights scripts and styles of a page in their languages", () => {
  const html = codeInside("html", "<script>let a</script><style>a{}</style>");
  expect(html).toContain(`${spanNamed("k", "let")} a`);
  expect(html).toContain(`${spanNamed("nt", "a")}{}`);
});

test.each(["zzz", "none", "text", "constructor", "__proto__"])("%s stays plain", (tag) => {
  expect(codeInside(tag, "let n = 1;")).toBe("let n = 1;");
});

describe("for speed, keeps plain", () => {
  const line = `let a = "${"b".repeat(40)}";\n`;
  const codeOfLength = (characters: number) => line.repeat(characters / line.length);

  test("a code that is long", () => {
    expect(blockOf("js", codeOfLength(COLORED_CHARACTERS_MAX - line.length))).toContain(
      "<span class=",
    );
    expect(blockOf("js", codeOfLength(COLORED_CHARACTERS_MAX + line.length))).not.toContain(
      'class="kd"',
    );
  });

  test("a code with a long line", () => {
    expect(codeInside("js", `let a;\n${"x".repeat(201)}`)).not.toContain("<span");
    expect(codeInside("js", `let a;\n${"x".repeat(200)}`)).toContain("<span");
  });

  test("code after much other code in the same message", () => {
    const half = `${FENCE}js\n${codeOfLength(COLORED_CHARACTERS_MAX * 0.4)}${FENCE}\n`;
    const { html } = render(half.repeat(3), renderContext());
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
  for (const name of Object.values(EMBEDDED_LANGUAGES).flat())
    expect(GRAMMARS).toHaveProperty(name);
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
        const text = textOf(parseFragment(blockOf("zzz", code)));
        const fragment = parseFragment(blockOf(tag, code));
        expect(textOf(fragment)).toBe(text);
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
