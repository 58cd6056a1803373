// Parsing of CSV files as spreadsheets write them.
import { expect, test } from "bun:test";
import { rowsIn } from "../../src/commands/csv.ts";

test.each([
  [
    '\ufeff"a","b"\n1,2\n',
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a,b\n1,2\n",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    "a;b\r\n1;2",
    [
      ["a", "b"],
      ["1", "2"],
    ],
  ],
  [
    'a,b\n"x, ""y""\nz",\n',
    [
      ["a", "b"],
      ['x, "y"\nz', ""],
    ],
  ],
  [
    "a, b ,c\n\n , ,\n1,,3",
    [
      ["a", "b", "c"],
      ["1", "", "3"],
    ],
  ],
  ["a,", [["a", ""]]],
  ["", []],
])("%j is read as its rows", (text, rows) => {
  expect(rowsIn(text)).toEqual(rows);
});
