// Links in topics, and the patterns and templates behind them.
import { describe, expect, test } from "bun:test";
import { linkified, patternFault, patternGroups } from "../../src/text/linkifiers.ts";
import { expand, templateVariables } from "../../src/text/templates/uri-template.ts";
import { topicLinks } from "../../src/text/topic-links.ts";

const ticket = { pattern: "T(?P<n>[0-9]+)", url_template: "https://t.example.com/{n}" };
const number = { pattern: "[A-Z](?P<id>[0-9]+)", url_template: "https://i.example.com/{id}" };

test("orders a topic's links by position; linkifiers before URLs, earlier first", () => {
  expect(topicLinks("a.org: T12, B3 and https://b.org/T4", [ticket, number])).toEqual([
    { text: "a.org", url: "https://a.org" },
    { text: "T12", url: "https://t.example.com/12" },
    { text: "B3", url: "https://i.example.com/3" },
    { text: "https://b.org/T4", url: "https://b.org/T4" },
  ]);
  expect(topicLinks("see http.org, http://a.org. Or b.org/x?", [])).toEqual([
    { text: "http.org", url: "https://http.org" },
    { text: "http://a.org", url: "http://a.org" },
    { text: "b.org/x", url: "https://b.org/x" },
  ]);
  expect(topicLinks("nothing here", [ticket, number])).toEqual([]);
});

describe("a pattern", () => {
  const linkedTexts = (pattern: string, text: string) =>
    [...linkified(text, { pattern, url_template: "x" })].map(({ start, end }) =>
      text.slice(start, end),
    );

  test.each([
    ["T[0-9]+", "T1 (T2) 'T3': T4", ["T1", "T2", "T3", "T4"]],
    ["T[0-9]+", "T1@ T2> \u00a0T3\u00a0 #T4 )T5 は T6 はT7は T8は", ["T1", "T2", "T3", "T6"]],
    ["a b", "see a b here", ["a b"]],
    ["T[0-9]+", "xT1 -T2 T3a T4é T5_", ["T5"]],
    ["T[0-9]+|zz", "zz T1", ["zz", "T1"]],
    ["T?[0-9]+", "7 T8", ["7", "T8"]],
    ["(a+)+$", `${"a".repeat(5_000)}!`, []],
    ["(?<n>a", "a", []],
  ])("%s in %j", (pattern, text, found) => expect(linkedTexts(pattern, text)).toEqual(found));

  test("reports an invalid linkifier pattern", () => {
    expect(patternFault("a(?P<n>b)")).toBeUndefined();
    expect(patternFault("a(")).toBeString();
    expect(patternFault("(?=a)")).toBeString();
    expect(patternFault("(a)\\1")).toBeString();
    expect(patternGroups("(?P<a>x)(?P<b_2>y)(z)").toSorted()).toEqual(["a", "b_2"]);
  });
});

describe("a template", () => {
  const values = { a: "x y/z", b: "ü", none: "", face: "😀x", half: "a\ud83d" };

  test.each([
    ["/{a}", "/x%20y%2Fz"],
    ["/{+a}", "/x%20y/z"],
    ["/{#a}", "/#x%20y/z"],
    ["/{a,b}", "/x%20y%2Fz,%C3%BC"],
    ["h{.b,b}", "h.%C3%BC.%C3%BC"],
    ["h{/b,b}", "h/%C3%BC/%C3%BC"],
    ["h{;b,none}", "h;b=%C3%BC;none"],
    ["h{?b,none}", "h?b=%C3%BC&none="],
    ["h?c{&b}", "h?c&b=%C3%BC"],
    ["h{?missing}{missing}", "h"],
    ["h{a:3}", "hx%20y"],
    ["h{face}{face:2}", "h%F0%9F%98%80x%F0%9F%98%80"],
    ["h{face:1}", "h%EF%BF%BD"],
    ["h{half}", "ha%EF%BF%BD"],
    ["h{?constructor,__proto__}{toString}", "h"],
    ["/a%20b/%%%ba/ü [1]/{b}", "/a%20b/%25%25%ba/%C3%BC%20[1]/%C3%BC"],
  ])("%s", (template, url) => expect(expand(template, values)).toBe(url));

  test("returns its variables, or is invalid", () => {
    expect(templateVariables("https://x/{a}{?b,c}{+d:3}")).toEqual(["a", "b", "c", "d"]);
    expect(templateVariables("https://x/")).toEqual([]);
    expect(templateVariables("https://x/{")).toBeUndefined();
    expect(templateVariables("https://x/{a b}")).toBeUndefined();
    expect(templateVariables("https://x/{}")).toBeUndefined();
  });
});
