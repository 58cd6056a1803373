// Ranking of the command palette, and its work with many names.
import { expect, test } from "bun:test";
import {
  type Candidate,
  markedParts,
  prepared,
  Ranking,
} from "../../src/web/features/palette/ranking.ts";

const named = (name: string, recency = 0): Candidate => ({ key: name, name, recency });
const found = (typed: string, ...candidates: Candidate[]) =>
  new Ranking(prepared(candidates)).find(typed, 10).map(({ name }) => name);

test("the beginning comes before words, words before initials, those before what is inside", () => {
  const all = ["Defrosting", "Flow rate of soup", "Early frost", "Frost alarm"].map((n) =>
    named(n),
  );
  expect(found("fro", ...all)).toEqual([
    "Frost alarm",
    "Early frost",
    "Flow rate of soup",
    "Defrosting",
  ]);
  expect(found("fros", named("Fine roses"), named("Flow rate of soup"))[0]).toBe(
    "Flow rate of soup",
  );
});

test("of the same fit the latest comes first", () => {
  expect(found("rel", named("release 1", 5), named("release 2", 9), named("relay"))).toEqual([
    "release 2",
    "release 1",
    "relay",
  ]);
});

test("marks and case are no matter, and words may be cut short", () => {
  expect(found("tomas", named("Tomás Wren"))).toEqual(["Tomás Wren"]);
  expect(found("to wr", named("Tomás Wren"), named("Two"))).toEqual(["Tomás Wren"]);
  expect(found("tw", named("Tomás Wren"))).toEqual(["Tomás Wren"]);
  expect(found("zz", named("Tomás Wren"))).toEqual([]);
});

test.each([
  ["relaese", "release checklist"],
  ["relesae", "release checklist"],
  ["rellease ch", "release checklist"],
  ["relase", "release checklist"],
  ["checlkist", "release checklist"],
  ["thresh xpr", undefined],
  ["tresholds", "Thresholds for apricots"],
  ["tomsa", "Tomás Wren"],
  ["tonas wr", "Tomás Wren"],
  ["tonaz", undefined],
  ["lomas", undefined],
  ["rxl", undefined],
])("%s finds %p: one letter may be wrong", (typed, name) => {
  const all = ["release checklist", "Thresholds for apricots", "Tomás Wren"].map((one) =>
    named(one),
  );
  expect(found(typed, ...all)).toEqual(name === undefined ? [] : [name]);
});

test("it is no matter whether a name is typed letter by letter or comes at once", () => {
  const all = ["Frost alarm", "Fr. Otto"].map((one) => named(one));
  const ranking = new Ranking(prepared(all));
  for (const typed of ["f", "fr"]) ranking.find(typed, 10);
  expect(ranking.find("fro", 10).map(({ name }) => name)).toEqual(found("fro", ...all));
  expect(found("fro", ...all)).toContain("Fr. Otto");
});

test("does not find names that have the letters far apart", () => {
  const help = named("Moving from Slack, Mattermost or Discord");
  expect(found("frost", help, named("Early frost"))).toEqual(["Early frost"]);
  expect(found("frost", help)).toEqual([]);
});

test("what is spelt as it was typed comes first, and alone where there is enough of it", () => {
  const near = named("release", 9);
  expect(found("relez", named("relez", 1), near)).toEqual(["relez", "release"]);
  const three = [1, 2, 3].map((at) => named(`relez ${at}`, at));
  expect(found("relez", ...three, near)).toEqual(["relez 3", "relez 2", "relez 1"]);
});

test("what was found is marked in the name as it is written", () => {
  const marked = (typed: string, name: string) =>
    markedParts(typed, name)
      .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
      .join("");
  expect(marked("fro", "Rename “from” it")).toBe("Rename “[fro]m” it");
  expect(marked("mas", "Tomás Wren")).toBe("To[más] Wren");
  expect(marked("far", "Farid Aziz")).toBe("[Far]id Aziz");
  expect(marked("fz", "Farid Aziz")).toBe("[F]arid A[z]iz");
});

test("among ten thousand people and five thousand topics each key looks at less", () => {
  const people = Array.from({ length: 10_000 }, (_, at) => named(`${NAMES[at % 7]} ${word(at)}`));
  const topics = Array.from({ length: 5000 }, (_, at) => named(`${word(at)} ${word(at * 7)}`, at));
  const ranking = new Ranking(prepared([...people, ...topics]));
  const looked: number[] = [];
  let query = "";
  for (const letter of "bada") {
    const before = ranking.looked;
    ranking.find((query += letter), 12);
    looked.push(ranking.looked - before);
  }
  expect(looked[0]).toBe(15_000);
  expect(looked[1]!).toBeLessThan(looked[0]!);
  expect(looked[2]!).toBeLessThan(looked[1]!);
  // The fourth letter finds nothing, so names with a letter wrong are looked for, once.
  expect(looked[3]!).toBeLessThan(15_000 + looked[2]!);
  const looksAt = (typed: string): number => {
    const before = ranking.looked;
    ranking.find(typed, 12);
    return ranking.looked - before;
  };
  expect(looksAt("bad")).toBe(15_000);
  // What is found nowhere is looked for spelt otherwise, once among all.
  expect(looksAt("zabazz")).toBe(30_000);
  expect(looksAt("zabazzu")).toBe(0);
});

const NAMES = ["Ada", "Bo", "Cy", "Farid", "Ines", "Noor", "Yuki"];
const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "ki", "lo", "mu", "na"];
const word = (at: number) =>
  [...`${at % 10_000}`].map((digit) => SYLLABLES[Number(digit)]).join("");
