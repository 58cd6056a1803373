// What messages hold, drawn and drawn anew: code, tables, and what one has opened in them.
import { expect, test } from "bun:test";
import { faultsOf, look } from "./axe.ts";
import { Street } from "./street.ts";

const street = await Street.ofFile();

test("columns keep to their side, and the head of a block of code to its words", async () => {
  const { town } = street;
  for (const name of ["A place to try it in, with a long name", "Another place"]) {
    const url_template = `https://${name.length}.example/?code={code}`;
    await town.ask("olga", "POST /realm/playgrounds", {
      name,
      pygments_language: "Python",
      url_template,
    });
  }
  await street.post("ada", "| a | b | c |\n|--|--:|:-:|\n| one | 2 | 3 |");
  await street.post("ada", "```python\nprint(1)\n```\n```\nplain\n```");
  const page = await (await street.seatOf("bo")).tab(street.place);
  await page.locator(".codeblock").nth(1).waitFor();
  for (const cells of ["th", "td"]) {
    const sides = await page
      .locator(`.md ${cells}`)
      .evaluateAll((all) =>
        all.map((one) => getComputedStyle(one).textAlign.replace("-webkit-", "")),
      );
    expect(sides).toEqual(["start", "right", "center"]);
  }
  await look(page, { scheme: "dark", width: 320 });
  const [named, plain] = await page.locator(".codeblock").evaluateAll((all) =>
    all.map((block) => {
      const [language, code] = [block.querySelector(".lang span")!, block.querySelector("pre")!];
      const line = Number.parseFloat(getComputedStyle(language).lineHeight);
      const acts = block.querySelector(".acts")!.getBoundingClientRect();
      return {
        lines: Math.round(language.getBoundingClientRect().height / line),
        isInside: acts.right <= block.getBoundingClientRect().right,
        // Nothing stands between its edge and the code.
        above: code.getBoundingClientRect().top - block.getBoundingClientRect().top,
      };
    }),
  );
  expect(named).toMatchObject({ lines: 1, isInside: true });
  expect(plain).toEqual({ lines: 0, isInside: true, above: 0 });
  expect(await faultsOf(page)).toEqual([]);
});

test("what was opened stays open with the focus, and nothing opens in its place", async () => {
  const { town } = street;
  const one = "```spoiler One\n[a link](https://one.example)\n```";
  const { id } = await street.post("ada", `${one}\n\`\`\`spoiler Two\nsecret\n\`\`\``);
  const page = await (await street.seatOf("cy")).tab(street.place);
  const row = page.locator(`#m${id}`);
  const opened = () =>
    row.locator("details").evaluateAll((all) => all.map((one) => one.matches("[open]")));
  const redrawn = async (emoji_name: string) => {
    await town.ask("ada", `POST /messages/${id}/reactions`, { emoji_name });
    await row.getByRole("button", { name: emoji_name }).waitFor();
  };
  await row.locator("summary").first().press("Enter");
  await redrawn("tada");
  expect(await opened()).toEqual([true, false]);
  await page.locator("summary:focus", { hasText: "One" }).waitFor();
  await page.keyboard.press("Tab");
  await redrawn("heart");
  await page.locator("a:focus", { hasText: "a link" }).waitFor();
  // Another now stands where the open one stood.
  const other = "```spoiler Zero\nnot to be seen\n```";
  await town.ask("ada", `PATCH /messages/${id}`, { content: `${other}\n${one}` });
  await row.locator("summary", { hasText: "Zero" }).waitFor();
  expect(await opened()).toEqual([false, true]);
});
