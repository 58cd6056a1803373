// Emoji in messages: those that are pictures stand among the letters.
import { expect, test } from "bun:test";
import { post, striped } from "../features/uploading.ts";
import { Street } from "./street.ts";

const street = await Street.ofFile();

test("an emoji that is a picture is as large as letters are", async () => {
  const { town } = street;
  const file = { name: "x.png", bytes: striped(120, 80), type: "image/png" };
  await post(town, "ada", "POST /realm/emoji/dance", [file]);
  const plain = await street.post("ada", "Some words");
  const content = "Some :dance: words\n```spoiler End :zulip:\nseen\n```";
  const { id } = await street.post("ada", content);
  for (const emoji_name of ["dance", "zulip"])
    await town.ask("ada", `POST /messages/${id}/reactions`, { emoji_name });
  const page = await (await street.seatOf("bo")).tab(street.place);
  const pictures = page.locator(`#m${id} img.emoji`);
  await pictures.nth(3).waitFor();
  await page.waitForFunction((row) => {
    const all = document.querySelectorAll<HTMLImageElement>(`${row} img.emoji[src]`);
    return all.length === 4 && [...all].every(({ naturalWidth }) => naturalWidth > 0);
  }, `#m${id}`);
  for (const { width, height } of await pictures.evaluateAll((all) =>
    all.map((one) => one.getBoundingClientRect().toJSON()),
  )) {
    expect(width).toBeWithin(14, 26);
    expect(height).toBe(width);
  }
  const heightOf = async (of: number) =>
    (await page.locator(`#m${of} .md > p`).first().boundingBox())!.height;
  expect(await heightOf(id)).toBe(await heightOf(plain.id));
});
