// Emoji images in messages align with the text.
import { expect, test } from "bun:test";
import { post, striped } from "../features/upload-fixture.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

test("shows image emoji at the size of text", async () => {
  const { testServer } = fixture;
  const file = { name: "x.png", bytes: striped(120, 80), type: "image/png" };
  await post(testServer, "ada", "POST /realm/emoji/dance", [file]);
  const plain = await fixture.post("ada", "Some words");
  const content = "Some :dance: words\n```spoiler End :zulip:\nseen\n```";
  const { id } = await fixture.post("ada", content);
  for (const emoji_name of ["dance", "zulip"])
    await testServer.request("ada", `POST /messages/${id}/reactions`, { emoji_name });
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  const pictures = page.locator(`#m${id} img.emoji`);
  await pictures.nth(3).waitFor();
  await page.waitForFunction((row) => {
    const all = document.querySelectorAll<HTMLImageElement>(`${row} img.emoji[src]`);
    return all.length === 4 && [...all].every(({ naturalWidth }) => naturalWidth > 0);
  }, `#m${id}`);
  for (const { width, height } of await pictures.evaluateAll((all) =>
    all.map((item) => item.getBoundingClientRect().toJSON()),
  )) {
    expect(width).toBeWithin(14, 26);
    expect(height).toBe(width);
  }
  const heightOf = async (emojiId: number) =>
    (await page.locator(`#m${emojiId} .md > p`).first().boundingBox())!.height;
  expect(await heightOf(id)).toBe(await heightOf(plain.id));
});
