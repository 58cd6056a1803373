// The composer's tools, and the trigger before the caret.
import { expect, test } from "bun:test";
import {
  coded,
  continueList,
  type Edit,
  fenced,
  formula,
  toggleList,
  numbered,
  toggleQuote,
  toggleMark,
  type EditorText,
} from "../../src/web/features/editor/edit-rules.ts";
import { withLink } from "../../src/web/features/editor/link.ts";
import { triggerAt } from "../../src/web/features/typeahead/trigger.ts";

/** The text after an edit. */
const applyEdit = (text: string, { start, end, replacement: put }: Edit): string =>
  text.slice(0, start) + put + text.slice(end);

/** `[` and `]` mark the selection. */
function parseMarked(marked: string): EditorText {
  const start = marked.indexOf("[");
  const end = marked.indexOf("]") - 1;
  return { text: marked.replace("[", "").replace("]", ""), start, end };
}

function textAfterEdit(
  marked: string,
  action: (written: EditorText) => Edit | undefined,
): string | undefined {
  const before = parseMarked(marked);
  const edit = action(before);
  if (!edit) return undefined;
  const text = applyEdit(before.text, edit);
  const [from, to] = edit.select;
  return `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
}

test("adds and removes a mark around the selection", () => {
  for (const mark of ["**", "*", "~~", "`"] as const) {
    const marked = textAfterEdit("one [two] three", (editorText) => toggleMark(editorText, mark));
    expect(marked).toBe(`one ${mark}[two]${mark} three`);
    expect(textAfterEdit(marked!, (editorText) => toggleMark(editorText, mark))).toBe(
      "one [two] three",
    );
  }
});

test("distinguishes bold and italic by the number of asterisks", () => {
  expect(textAfterEdit("**[word]**", (editorText) => toggleMark(editorText, "*"))).toBe(
    "***[word]***",
  );
  expect(textAfterEdit("***[word]***", (editorText) => toggleMark(editorText, "*"))).toBe(
    "**[word]**",
  );
  expect(textAfterEdit("***[word]***", (editorText) => toggleMark(editorText, "**"))).toBe(
    "*[word]*",
  );
  expect(textAfterEdit("[**word**]", (editorText) => toggleMark(editorText, "**"))).toBe("[word]");
});

test("keeps spaces at the ends of the selection outside of the mark", () => {
  expect(textAfterEdit("a[ word ]b", (editorText) => toggleMark(editorText, "**"))).toBe(
    "a **[word]** b",
  );
});

test("marks each line of the selection separately, after its prefix", () => {
  const bold = (editorText: EditorText) => toggleMark(editorText, "**");
  const pairs = [
    ["[one\n\ntwo]", "[**one**\n\n**two**]"],
    ["[- one\n  1. two ]", "[- **one**\n  1. **two** ]"],
    ["o[ne\n> # two]", "o[**ne**\n> # **two**]"],
    ["[one\n**two**]", "[**one**\n**two**]"],
  ] as const;
  for (const [bare, marked] of pairs) expect(textAfterEdit(bare, bold)).toBe(marked);
  expect(textAfterEdit("[**one**\n- **two**]", bold)).toBe("[one\n- two]");
  expect(textAfterEdit("[**one\ntwo**]", bold)).toBe("[one\ntwo]");
  expect(textAfterEdit("**[one\ntwo]**", bold)).toBe("[one\ntwo]");
});

test("makes several lines of a formula a block", () => {
  expect(textAfterEdit("x [y] z", formula)).toBe("x $$[y]$$ z");
  expect(textAfterEdit("[a\nb]", formula)).toBe("```math\n[a\nb]\n```");
  expect(textAfterEdit("```math\n[a\nb]\n```", formula)).toBe("[a\nb]");
});

test("applies lists and quotes to whole lines", () => {
  expect(textAfterEdit("o[ne\ntwo]", toggleList)).toBe("[- one\n- two]");
  expect(textAfterEdit("[- one\n- two]", toggleList)).toBe("[one\ntwo]");
  expect(textAfterEdit("[one\ntwo]", numbered)).toBe("[1. one\n2. two]");
  expect(textAfterEdit("[1. one\n  2) two]", toggleList)).toBe("[- one\n  - two]");
  expect(textAfterEdit("[- one\n  * two]", numbered)).toBe("[1. one\n  2. two]");
  expect(textAfterEdit("[one\n\ntwo]", numbered)).toBe("[1. one\n\n2. two]");
  expect(textAfterEdit("[- one\n\n- two]", toggleList)).toBe("[one\n\ntwo]");
  expect(textAfterEdit("[]", toggleList)).toBe("- []");
  expect(textAfterEdit("[one\n\ntwo]", toggleQuote)).toBe("[> one\n> \n> two]");
});

test("marks code of one line inline, and fences several lines", () => {
  expect(textAfterEdit("run [it] now", coded)).toBe("run `[it]` now");
  expect(textAfterEdit("[a\nb]", coded)).toBe("```\n[a\nb]\n```");
  expect(textAfterEdit("x\n```js\n[a\nb]\n```\ny", coded)).toBe("x\n[a\nb]\ny");
  expect(textAfterEdit("```\na\n[b]\n```", coded)).toBe("```\na\n`[b]`\n```");
  const spoiler = (editorText: EditorText) => fenced(editorText, "spoiler", "Head");
  expect(textAfterEdit("```spoiler [Head]\nhidden\n```", spoiler)).toBe("[hidden]");
  expect(textAfterEdit("[x\n```\ny]", (editorText) => fenced(editorText, "quote"))).toBe(
    "````quote\n[x\n```\ny]\n````",
  );
  expect(textAfterEdit("[hidden]", (editorText) => fenced(editorText, "spoiler", "Head"))).toBe(
    "```spoiler [Head]\nhidden\n```",
  );
});

test("a link selects the part that is missing", () => {
  const text = "see [this](url)";
  const bare = withLink({ text, start: 11, end: 14 }, "text");
  expect([applyEdit(text, bare), bare.select]).toEqual(["see this", [4, 8]]);
  expect(textAfterEdit("see [this]", (editorText) => withLink(editorText, "text"))).toBe(
    "see [this]([url])",
  );
  expect(textAfterEdit("[https://x.example/a]", (editorText) => withLink(editorText, "text"))).toBe(
    "[[text]](https://x.example/a)",
  );
  for (const mail of ["a@b.example", "mailto:a@b.example"]) {
    const requested = textAfterEdit(`write to [${mail}]`, (editorText) =>
      withLink(editorText, "text"),
    );
    expect(requested).toBe("write to [[text]](mailto:a@b.example)");
  }
  expect(textAfterEdit("[@Bo Ruiz]", (editorText) => withLink(editorText, "text"))).toBe(
    "[@Bo Ruiz]([url])",
  );
});

test("removes a link around a selection, and keeps its text", () => {
  const textWithLink = (text: string, start: number, end: number) =>
    applyEdit(text, withLink({ text, start, end }, "text"));
  const initial = "a [b](x) [c d](https://x.example/a_(b)) e";
  for (const [start, end] of [
    [10, 13],
    [15, 38],
    [9, 39],
  ] as const)
    expect(textWithLink(initial, start, end)).toBe("a [b](x) c d e");
  expect(textWithLink("[text](https://x.example/)", 1, 5)).toBe("https://x.example/");
  expect(textWithLink("[a](b)", 1, 1)).toBe("[[text](url)a](b)");
});

test("Enter continues a list, and ends it after an empty item", () => {
  expect(textAfterEdit("- one[]", continueList)).toBe("- one\n- []");
  expect(textAfterEdit("  9. one[]", continueList)).toBe("  9. one\n  10. []");
  const task = { text: "- [x] done", start: 10, end: 10 };
  expect(applyEdit(task.text, continueList(task)!)).toBe("- [x] done\n- [ ] ");
  expect(textAfterEdit("- one\n- []", continueList)).toBe("- one\n[]");
  expect(textAfterEdit("> said[]", continueList)).toBe("> said\n> []");
  expect(textAfterEdit("> - one[]", continueList)).toBe("> - one\n> - []");
  expect(textAfterEdit("> - []", continueList)).toBe("> []");
  expect(textAfterEdit("> []", continueList)).toBe("[]");
  expect(textAfterEdit("plain[]", continueList)).toBeUndefined();
  expect(textAfterEdit("```\n- one[]", continueList)).toBeUndefined();
});

test("the word before the caret is the search term", () => {
  const triggerAtEnd = (text: string) => triggerAt(text, text.length);
  expect(triggerAtEnd("hi @ma")).toEqual({ kind: "person", query: "ma", start: 3 });
  expect(triggerAtEnd("hi @_**Mara L")).toEqual({ kind: "silent", query: "Mara L", start: 3 });
  expect(triggerAtEnd("see #rel")).toEqual({ kind: "channel", query: "rel", start: 4 });
  expect(triggerAtEnd("#**release>0.2")).toEqual({
    kind: "topic",
    channel: "release",
    query: "0.2",
    start: 0,
  });
  expect(triggerAtEnd("so :sm")).toEqual({ kind: "emoji", query: "sm", start: 3 });
  expect(triggerAtEnd("/da")).toEqual({ kind: "slash", query: "da", start: 0 });
  expect(triggerAtEnd("@all see #rel")).toEqual({ kind: "channel", query: "rel", start: 9 });
  expect(triggerAtEnd("#a > b @ma")).toEqual({ kind: "person", query: "ma", start: 7 });
  expect(triggerAtEnd("#a > b #rel")).toEqual({ kind: "channel", query: "rel", start: 7 });
  expect(triggerAtEnd("#**rel>no. #4")).toMatchObject({ kind: "topic", query: "no. #4", start: 0 });
  expect(triggerAtEnd("#rel>a @ma b")).toEqual({ kind: "person", query: "ma b", start: 7 });
  expect(triggerAtEnd("x\n```ty")).toEqual({ kind: "code", query: "ty", start: 5 });
});

test("suggests nothing in URLs, times and code", () => {
  for (const text of ["a@b", "at 10:30", "http://x", "`@ma", "```\n@ma", "@**Mara Lind** ", "x/da"])
    expect([text, triggerAt(text, text.length)]).toEqual([text, undefined]);
});
