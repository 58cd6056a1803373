// Which lines at the end of a message are its attachments.
import { expect, test } from "bun:test";
import {
  attachmentOf,
  isSameText,
  joinParts,
  partsOf,
  withoutLinks,
} from "../../src/web/features/uploads/attached-rules.ts";

const A = "[a.png](/user_uploads/2/ab/cd/a.png)";
const B = "[b (1).txt…](#uploading-k1.2)";

test.each([
  ["", "", []],
  ["words", "words", []],
  [A, "", [A]],
  [`words\n${A}`, "words", [A]],
  [`words\n${A}\n${B}`, "words", [A, B]],
  [`words\n\n${A}`, "words\n", [A]],
  [`> quoted\n\n${A}`, "> quoted", [A]],
  [`- item\n\n${A}\n${B}`, "- item", [A, B]],
])("splits %j and joins it again", (text, body, links) => {
  expect(partsOf(text)).toEqual({ body, links });
  expect(joinParts(partsOf(text))).toBe(text);
});

test.each([
  [`see ${A}`],
  [`${A} and more`],
  [`${A}\nmore`],
  [`\`\`\`\n${A}`],
  [`    ${A}`],
  [`> ${A}`],
  ["[site](https://a.example/user_uploads/x)"],
  ["[x](/user_uploads/a b)"],
])("leaves %j in the text", (text) => {
  expect(partsOf(text)).toEqual({ body: text, links: [] });
});

test("takes links apart from blank lines between and after them", () => {
  expect(partsOf(`words\n${A}\n\n${B}\n`)).toEqual({ body: "words", links: [A, B] });
  expect(isSameText(`words\n${A}\n\n${B}`, `words\n${A}\n${B}`)).toBe(true);
  expect(isSameText(`words\n${A}`, `words\n${B}`)).toBe(false);
});

test("keeps attachments out of a quote or list that is typed before them", () => {
  expect(joinParts({ body: "> so", links: [A] })).toBe(`> so\n\n${A}`);
  expect(joinParts({ body: "1. one", links: [A] })).toBe(`1. one\n\n${A}`);
  expect(joinParts({ body: " ", links: [A, B] })).toBe(`${A}\n${B}`);
});

test("names an attachment by its link, or by its address", () => {
  expect(attachmentOf(A)).toEqual({
    ...{ name: "a.png", url: "/user_uploads/2/ab/cd/a.png", key: undefined },
  });
  expect(attachmentOf(B)).toEqual({ name: "b (1).txt", url: undefined, key: "k1.2" });
  expect(attachmentOf("[](/user_uploads/2/ab/%C3%A4.txt)").name).toBe("ä.txt");
  expect(attachmentOf("[](/user_uploads/2/ab/%zz.txt)").name).toBe("%zz.txt");
});

test("shows names instead of links in one line", () => {
  expect(withoutLinks(`look\n${A}\n${B}`)).toBe("look\na.png\nb (1).txt…");
});
