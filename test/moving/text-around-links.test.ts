// Addresses without a text end where they ended in the other product.
import { describe, expect, test } from "bun:test";
import { markdownOfBody } from "../../src/features/moving/campfire/message-body.ts";
import { markdownOf as ofDiscord } from "../../src/features/moving/discord/markdown.ts";
import { converted as ofMattermost } from "../../src/features/moving/mattermost/markdown.ts";
import { markdownOf as ofRocketChat } from "../../src/features/moving/rocketchat/markdown.ts";
import { markdownOfBlocks } from "../../src/features/moving/source/blocks.ts";
import { markdownOf as ofSlack } from "../../src/features/moving/source/mrkdwn.ts";
import { markdownOfHtml } from "../../src/text/html/markdown.ts";
import { htmlOf, names } from "./rendered.ts";

const X = "https://e.com/x";
const linkTo = (url: string) => `<a href="${url}">${url}</a>`;
const L = linkTo(X);

const inSlack = (text: string) => htmlOf(ofSlack(text, names));
const inDiscord = (text: string) =>
  htmlOf(
    ofDiscord(text, {
      ...{ mentioned: new Map(), shortNames: new Map(), isUser: () => false },
      ...{ channel: () => undefined, role: () => undefined, emoji: (_id, name) => name },
    }),
  );
const plainNames = {
  ...{ user: () => undefined, channel: () => undefined },
  emoji: (text: string) => text,
};
const inRocketChat = (text: string) => htmlOf(ofRocketChat(text, plainNames));
const inMattermost = (text: string) => htmlOf(ofMattermost(text, plainNames));

describe.each([
  ["Slack", inSlack],
  ["Discord", inDiscord],
  ["Rocket.Chat", inRocketChat],
  ["Mattermost", inMattermost],
])("in %s", (_product, rendered) => {
  test.each([
    [`<${X}>を見て`, `${L}を見て`],
    [`見て<${X}>を`, `見て${L}を`],
    [`<${X}>,ok`, `${L},ok`],
    [`a<${X}>-b`, `a${L}-b`],
    [`(<${X}>), <${X}>.`, `(${L}), ${L}.`],
    [`<${X}><${X}/y>`, L + linkTo(`${X}/y`)],
    [`<${X}>\`code\``, `${L}<code>code</code>`],
    [`<${X}> ok`, `${L} ok`],
  ])("ends the link in %p", (text, expected) => {
    expect(rendered(text)).toBe(`<p>${expected}</p>`);
  });
});

test("ends links of Slack's mrkdwn beside styles, entities and mentions", () => {
  expect(inSlack(`*<${X}>*ok *<${X}>*`)).toContain(`<strong>${L}</strong>`);
  expect([ofSlack(`<${X}>`, names), ofSlack(`<${X}>.`, names)]).toEqual([X, `${X}.`]);
  expect(inSlack(`<${X}>&lt;b&gt;`)).toBe(`<p>${L}&lt;b&gt;</p>`);
  const mail = '<a href="mailto:a@e.com">a@e.com</a>';
  expect(inSlack("見<mailto:a@e.com>を")).toBe(`<p>見${mail}を</p>`);
  expect(inSlack(`<${X}|${X}>を`)).toBe(`<p>${L}を</p>`);
  expect(inSlack(`<${X}/_(a)_*b*>を`)).toContain(`<a href="${X}/_%28a%29_%2Ab%2A">`);
});

test("ends links of Slack's rich text", () => {
  const link = { type: "link", url: X };
  const text = (text: string, style = {}) => ({ type: "text", text, style });
  const inBlocks = (...elements: object[]) =>
    htmlOf(
      markdownOfBlocks(
        [{ type: "rich_text", elements: [{ type: "rich_text_section", elements }] }],
        names,
      ),
    );
  expect(inBlocks(link, text(",ok"))).toBe(`<p>${L},ok</p>`);
  expect(inBlocks(text("見て"), link, text("を"))).toBe(`<p>見て${L}を</p>`);
  expect(inBlocks({ ...link, style: { bold: true } }, text("b"))).toContain(L);
  expect(inBlocks(link, link)).toBe(`<p>${L}${L}</p>`);
  expect(inBlocks(link, text("c", { code: true }))).toBe(`<p>${L}<code>c</code></p>`);
});

test("ends links of HTML and of Campfire's attachments", () => {
  const html = (text: string) => htmlOf(markdownOfHtml(text));
  const a = `<a href="${X}">${X}</a>`;
  expect(html(`${a}を,${a}`)).toBe(`<p>${L}を,${L}</p>`);
  expect(html(`<b>${a}</b>,ok`)).toBe(`<p><strong>${L}</strong>,ok</p>`);
  expect(html(`<ul><li>${a}を</li></ul>`)).toContain(`<li>${L}を</li>`);
  expect(html('<a href="mailto:a@e.com">a@e.com</a>を')).toContain("</a>を");
  const attachment = `<action-text-attachment href="${X}"></action-text-attachment>`;
  expect(htmlOf(markdownOfBody(`${attachment}を`, () => false))).toBe(`<p>${L}を</p>`);
});
