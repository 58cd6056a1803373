// Ranking of the command palette, and its work with many names.
import { expect, test } from "bun:test";
import {
  type Candidate,
  markedParts,
  prepared,
  Ranking,
} from "../../src/web/features/palette/ranking.ts";

const candidate = (name: string, recency = 0): Candidate => ({ key: name, name, recency });
const rankedNames = (query: string, ...candidates: Candidate[]) =>
  new Ranking(prepared(candidates)).find(query, 10).map(({ name }) => name);

test("ranks prefixes before words, initials and infixes", () => {
  const all = ["Defrosting", "Flow rate of soup", "Early frost", "Frost alarm"].map((n) =>
    candidate(n),
  );
  expect(rankedNames("fro", ...all)).toEqual([
    "Frost alarm",
    "Early frost",
    "Flow rate of soup",
    "Defrosting",
  ]);
  expect(rankedNames("fros", candidate("Fine roses"), candidate("Flow rate of soup"))[0]).toBe(
    "Flow rate of soup",
  );
});

test("ranks equal matches by recency", () => {
  expect(
    rankedNames("rel", candidate("release 1", 5), candidate("release 2", 9), candidate("relay")),
  ).toEqual(["release 2", "release 1", "relay"]);
});

test("ignores accents and case, and matches shortened words", () => {
  expect(rankedNames("tomas", candidate("Tomás Wren"))).toEqual(["Tomás Wren"]);
  expect(rankedNames("to wr", candidate("Tomás Wren"), candidate("Two"))).toEqual(["Tomás Wren"]);
  expect(rankedNames("tw", candidate("Tomás Wren"))).toEqual(["Tomás Wren"]);
  expect(rankedNames("zz", candidate("Tomás Wren"))).toEqual([]);
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
])("%s finds %p: one letter may be wrong", (query, name) => {
  const all = ["release checklist", "Thresholds for apricots", "Tomás Wren"].map((item) =>
    candidate(item),
  );
  expect(rankedNames(query, ...all)).toEqual(name === undefined ? [] : [name]);
});

test("gives the same result for typed and pasted names", () => {
  const all = ["Frost alarm", "Fr. Otto"].map((item) => candidate(item));
  const ranking = new Ranking(prepared(all));
  for (const query of ["f", "fr"]) ranking.find(query, 10);
  expect(ranking.find("fro", 10).map(({ name }) => name)).toEqual(rankedNames("fro", ...all));
  expect(rankedNames("fro", ...all)).toContain("Fr. Otto");
});

test("does not find names that have the letters far apart", () => {
  const help = candidate("Moving from Slack, Mattermost or Discord");
  expect(rankedNames("frost", help, candidate("Early frost"))).toEqual(["Early frost"]);
  expect(rankedNames("frost", help)).toEqual([]);
});

test("ranks exact spellings first, and alone if they suffice", () => {
  const nearCandidate = candidate("release", 9);
  expect(rankedNames("relez", candidate("relez", 1), nearCandidate)).toEqual(["relez", "release"]);
  const three = [1, 2, 3].map((index) => candidate(`relez ${index}`, index));
  expect(rankedNames("relez", ...three, nearCandidate)).toEqual(["relez 3", "relez 2", "relez 1"]);
});

test("highlights the match in the original name", () => {
  const markMatches = (query: string, name: string) =>
    markedParts(query, name)
      .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
      .join("");
  expect(markMatches("fro", "Rename “from” it")).toBe("Rename “[fro]m” it");
  expect(markMatches("mas", "Tomás Wren")).toBe("To[más] Wren");
  expect(markMatches("far", "Farid Aziz")).toBe("[Far]id Aziz");
  expect(markMatches("fz", "Farid Aziz")).toBe("[F]arid A[z]iz");
});

test("searches less with each key among many users and topics", () => {
  const people = Array.from({ length: 10_000 }, (_, index) =>
    candidate(`${NAMES[index % 7]} ${word(index)}`),
  );
  const topics = Array.from({ length: 5000 }, (_, index) =>
    candidate(`${word(index)} ${word(index * 7)}`, index),
  );
  const ranking = new Ranking(prepared([...people, ...topics]));
  const looked: number[] = [];
  let query = "";
  for (const character of "bada") {
    const before = ranking.examinedCount;
    ranking.find((query += character), 12);
    looked.push(ranking.examinedCount - before);
  }
  expect(looked[0]).toBe(15_000);
  expect(looked[1]!).toBeLessThan(looked[0]!);
  expect(looked[2]!).toBeLessThan(looked[1]!);
  // The fourth letter has no match, so names with one wrong letter are searched, once.
  expect(looked[3]!).toBeLessThan(15_000 + looked[2]!);
  const looksAt = (query: string): number => {
    const before = ranking.examinedCount;
    ranking.find(query, 12);
    return ranking.examinedCount - before;
  };
  expect(looksAt("bad")).toBe(15_000);
  // If a term has no match, a corrected spelling is searched once.
  expect(looksAt("zabazz")).toBe(30_000);
  expect(looksAt("zabazzu")).toBe(0);
});

const NAMES = ["Ada", "Bo", "Cy", "Farid", "Ines", "Noor", "Yuki"];
const SYLLABLES = ["ba", "ce", "di", "fo", "gu", "ha", "ki", "lo", "mu", "na"];
const word = (index: number) =>
  [...`${index % 10_000}`].map((digit) => SYLLABLES[Number(digit)]).join("");
