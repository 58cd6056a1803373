// The minimum strength of passwords.
import { expect, test } from "bun:test";
import { isStrongPassword } from "../../src/features/passwords/strength.ts";

const USER_WORDS = ["Bo van Berg", "bo.berg@sunflower.example", "The Big Garden"];

const strong: [string, string][] = [
  ["two words", "longer words"],
  ["four words", "correct horse battery staple"],
  ["random letters", "gqzvtkwm"],
  ["the shortest", "k7#pQz"],
  ["words of another alphabet", "зелёный трактор"],
  ["a name of JavaScript's own", "hasOwnProperty"],
  ["their name among others", "bo van Berg hates mondays"],
  ["the longest", "tractor beam ".repeat(8).slice(0, 100)],
];

test.each(strong)("%s: strong", async (_title, password) => {
  expect(await isStrongPassword(password, USER_WORDS)).toBe(true);
});

const weak: [string, string][] = [
  ["nothing", ""],
  ["five characters", "k7#pQ"],
  ["101 characters", `${"tractor beam ".repeat(8).slice(0, 100)}x`],
  ["a common password", "trustno1"],
  ["a common password, disguised", "P@ssw0rd"],
  ["a common password, backwards", "drowssap"],
  ["a word", "elephant"],
  ["a row of the keyboard", "qwertyuiop"],
  ["a row of numbers", "23456789"],
  ["one letter", "x".repeat(100)],
  ["a word again and again", "p4ssw0rd".repeat(12)],
  ["their name", "Bo van Berg"],
  ["their name in one word", "bovanberg"],
  ["their name, disguised", "B0vanB3rg"],
  ["their address", "bo.berg@sunflower.example"],
  ["the domain of their address", "Sunflower"],
  ["the organization", "the big garden"],
  ["the organization in one word", "thebiggarden"],
];

test.each(weak)("%s: weak", async (_title, password) => {
  expect(await isStrongPassword(password, USER_WORDS)).toBe(false);
});

test("does not count personal data that is unknown to an attacker", async () => {
  expect(await isStrongPassword("bovanberg", [])).toBe(true);
});

/** A naive estimate takes hours for these passwords and would exceed the test's timeout. */
test.each(["4@8({[<369&#!1/|0$5+7%2", "1", "01/02/1999", "p4ssw0rd", "aaaab", "|\\/|"])(
  "a hostile text of %p is judged",
  async (unit) => {
    const longWords = Array.from({ length: 3 }, () => "a-".repeat(100_000));
    expect(await isStrongPassword(unit.repeat(100).slice(0, 100), longWords)).toBeBoolean();
  },
);
