// Each measured row of the documentation names the commit it was measured at, and is current.
import { expect, test } from "bun:test";
import { CURRENT, PAGES, rowsOf, STALE } from "./measured.ts";
import { source } from "./house/source.ts";

test.each(PAGES)("each row of %s has a date, a commit and a state", (page) => {
  const rows = rowsOf(source(page).text);
  expect(rows.length).toBeGreaterThan(20);
  const wrong = rows.filter(({ cells, date, commit, state }) => {
    const isMeasured = /^\d{4}-\d\d-\d\d$/.test(date) && /^[0-9a-f]{8,}$/.test(commit);
    const isOpen = cells.some((cell) => cell.trim() === "not run yet");
    return !(isMeasured && [CURRENT, STALE].includes(state)) && !isOpen;
  });
  expect(wrong.map(({ label }) => label)).toEqual([]);
});
