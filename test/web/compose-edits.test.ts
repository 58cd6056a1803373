// The composer's tools, and the trigger before the caret.
import { expect, test } from "bun:test";
import {
  coded,
  continued,
  type Edit,
  fenced,
  formula,
  listed,
  numbered,
  quoted,
  toggled,
  type EditorText,
} from "../../src/web/features/editor/edit-rules.ts";
import { linked } from "../../src/web/features/editor/link.ts";
import { triggerAt } from "../../src/web/features/typeahead/trigger.ts";

/** The text after an edit. */
const applied = (text: string, { start, end, replacement: put }: Edit): string =>
  text.slice(0, start) + put + text.slice(end);

/** `[` and `]` mark the selection. */
function written(marked: string): EditorText {
  const start = marked.indexOf("[");
  const end = marked.indexOf("]") - 1;
  return { text: marked.replace("[", "").replace("]", ""), start, end };
}

function after(marked: string, act: (written: EditorText) => Edit | undefined): string | undefined {
  const before = written(marked);
  const edit = act(before);
  if (!edit) return undefined;
  const text = applied(before.text, edit);
  const [from, to] = edit.select;
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

test("adds and removes a mark around the selection", () => {
  for (const mark of ["**", "*", "~~", "`"] as const) {
    const marked = after("one [two] three", (editorText) => toggled(editorText, mark));
    expect(marked).toBe(`one ${mark}[two]${mark} three`);
    expect(after(marked!, (editorText) => toggled(editorText, mark))).toBe("one [two] three");
  }
});

test("distinguishes bold and italic by the number of asterisks", () => {
  expect(after("**[word]**", (editorText) => toggled(editorText, "*"))).toBe("***[word]***");
  expect(after("***[word]***", (editorText) => toggled(editorText, "*"))).toBe("**[word]**");
  expect(after("***[word]***", (editorText) => toggled(editorText, "**"))).toBe("*[word]*");
  expect(after("[**word**]", (editorText) => toggled(editorText, "**"))).toBe("[word]");
});

test("keeps spaces at the ends of the selection outside of the mark", () => {
  expect(after("a[ word ]b", (editorText) => toggled(editorText, "**"))).toBe("a **[word]** b");
});

test("marks each line of the selection separately, after its prefix", () => {
  const bold = (editorText: EditorText) => toggled(editorText, "**");
  const pairs = [
    ["[one\n\ntwo]", "[**one**\n\n**two**]"],
    ["[- one\n  1. two ]", "[- **one**\n  1. **two** ]"],
    ["o[ne\n> # two]", "o[**ne**\n> # **two**]"],
    ["[one\n**two**]", "[**one**\n**two**]"],
  ] as const;
  for (const [bare, marked] of pairs) expect(after(bare, bold)).toBe(marked);
  expect(after("[**one**\n- **two**]", bold)).toBe("[one\n- two]");
  expect(after("[**one\ntwo**]", bold)).toBe("[one\ntwo]");
  expect(after("**[one\ntwo]**", bold)).toBe("[one\ntwo]");
});

test("makes several lines of a formula a block", () => {
  expect(after("x [y] z", formula)).toBe("x $$[y]$$ z");
  expect(after("[a\nb]", formula)).toBe("```math\n[a\nb]\n```");
  expect(after("```math\n[a\nb]\n```", formula)).toBe("[a\nb]");
});

test("applies lists and quotes to whole lines", () => {
  expect(after("o[ne\ntwo]", listed)).toBe("[- one\n- two]");
  expect(after("[- one\n- two]", listed)).toBe("[one\ntwo]");
  expect(after("[one\ntwo]", numbered)).toBe("[1. one\n2. two]");
  expect(after("[1. one\n  2) two]", listed)).toBe("[- one\n  - two]");
  expect(after("[- one\n  * two]", numbered)).toBe("[1. one\n  2. two]");
  expect(after("[one\n\ntwo]", numbered)).toBe("[1. one\n\n2. two]");
  expect(after("[- one\n\n- two]", listed)).toBe("[one\n\ntwo]");
  expect(after("[]", listed)).toBe("- []");
  expect(after("[one\n\ntwo]", quoted)).toBe("[> one\n> \n> two]");
});

test("marks code of one line inline, and fences several lines", () => {
  expect(after("run [it] now", coded)).toBe("run `[it]` now");
  expect(after("[a\nb]", coded)).toBe("```\n[a\nb]\n```");
  expect(after("x\n```js\n[a\nb]\n```\ny", coded)).toBe("x\n[a\nb]\ny");
  expect(after("```\na\n[b]\n```", coded)).toBe("```\na\n`[b]`\n```");
  const spoiler = (editorText: EditorText) => fenced(editorText, "spoiler", "Head");
  expect(after("```spoiler [Head]\nhidden\n```", spoiler)).toBe("[hidden]");
  expect(after("[x\n```\ny]", (editorText) => fenced(editorText, "quote"))).toBe(
    "````quote\n[x\n```\ny]\n````",
  );
  expect(after("[hidden]", (editorText) => fenced(editorText, "spoiler", "Head"))).toBe(
    "```spoiler [Head]\nhidden\n```",
  );
});

test("a link selects the part that is missing", () => {
  const text = "see [this](url)";
  const bare = linked({ text, start: 11, end: 14 }, "text");
  expect([applied(text, bare), bare.select]).toEqual(["see this", [4, 8]]);
  expect(after("see [this]", (editorText) => linked(editorText, "text"))).toBe("see [this]([url])");
  expect(after("[https://x.example/a]", (editorText) => linked(editorText, "text"))).toBe(
    "[[text]](https://x.example/a)",
  );
  for (const mail of ["a@b.example", "mailto:a@b.example"]) {
    const requested = after(`write to [${mail}]`, (editorText) => linked(editorText, "text"));
    expect(requested).toBe("write to [[text]](mailto:a@b.example)");
  }
  expect(after("[@Bo Ruiz]", (editorText) => linked(editorText, "text"))).toBe("[@Bo Ruiz]([url])");
});

test("removes a link around a selection, and keeps its text", () => {
  const unlinked = (text: string, start: number, end: number) =>
    applied(text, linked({ text, start, end }, "text"));
  const here = "a [b](x) [c d](https://x.example/a_(b)) e";
  for (const [start, end] of [
    [10, 13],
    [15, 38],
    [9, 39],
  ] as const)
    expect(unlinked(here, start, end)).toBe("a [b](x) c d e");
  expect(unlinked("[text](https://x.example/)", 1, 5)).toBe("https://x.example/");
  expect(unlinked("[a](b)", 1, 1)).toBe("[[text](url)a](b)");
});

test("Enter continues a list, and ends it after an empty item", () => {
  expect(after("- one[]", continued)).toBe("- one\n- []");
  expect(after("  9. one[]", continued)).toBe("  9. one\n  10. []");
  const task = { text: "- [x] done", start: 10, end: 10 };
  expect(applied(task.text, continued(task)!)).toBe("- [x] done\n- [ ] ");
  expect(after("- one\n- []", continued)).toBe("- one\n[]");
  expect(after("> said[]", continued)).toBe("> said\n> []");
  expect(after("> - one[]", continued)).toBe("> - one\n> - []");
  expect(after("> - []", continued)).toBe("> []");
  expect(after("> []", continued)).toBe("[]");
  expect(after("plain[]", continued)).toBeUndefined();
  expect(after("```\n- one[]", continued)).toBeUndefined();
});

test("the word before the caret is the search term", () => {
  const at = (text: string) => triggerAt(text, text.length);
  expect(at("hi @ma")).toEqual({ kind: "person", query: "ma", start: 3 });
  expect(at("hi @_**Mara L")).toEqual({ kind: "silent", query: "Mara L", start: 3 });
  expect(at("see #rel")).toEqual({ kind: "channel", query: "rel", start: 4 });
  expect(at("#**release>0.2")).toEqual({
    kind: "topic",
    channel: "release",
    query: "0.2",
    start: 0,
  });
  expect(at("so :sm")).toEqual({ kind: "emoji", query: "sm", start: 3 });
  expect(at("/da")).toEqual({ kind: "slash", query: "da", start: 0 });
  expect(at("@all see #rel")).toEqual({ kind: "channel", query: "rel", start: 9 });
  expect(at("#a > b @ma")).toEqual({ kind: "person", query: "ma", start: 7 });
  expect(at("#a > b #rel")).toEqual({ kind: "channel", query: "rel", start: 7 });
  expect(at("#**rel>no. #4")).toMatchObject({ kind: "topic", query: "no. #4", start: 0 });
  expect(at("#rel>a @ma b")).toEqual({ kind: "person", query: "ma b", start: 7 });
  expect(at("x\n```ty")).toEqual({ kind: "code", query: "ty", start: 5 });
});

test("suggests nothing in URLs, times and code", () => {
  for (const text of ["a@b", "at 10:30", "http://x", "`@ma", "```\n@ma", "@**Mara Lind** ", "x/da"])
    expect([text, triggerAt(text, text.length)]).toEqual([text, undefined]);
});
