// Lines that are fences here, but not in the other product, stay text.
import { describe, expect, test } from "bun:test";
import { markdownOf as ofDiscord } from "../../src/features/moving/discord/markdown.ts";
import { markdownOf as ofRocketChat } from "../../src/features/moving/rocketchat/markdown.ts";
import { htmlOf } from "./rendered.ts";

const inDiscord = (text: string) =>
  ofDiscord(text, {
    ...{ mentioned: new Map(), shortNames: new Map(), isUser: () => true },
    ...{ channel: () => undefined, role: () => undefined, emoji: (_id, name) => name },
  });
const inRocketChat = (text: string) =>
  ofRocketChat(text, {
    ...{ user: (name: string) => `U:${name}`, channel: () => undefined },
    emoji: (part: string) => part,
  });

const htmlWithNames = (markdown: string) =>
  htmlOf(markdown.replaceAll(/\u0001[^\u0001]+\u0001/g, "@**Olga Owner|4**"))
    .replaceAll("&#126;", "~")
    .replaceAll("&#96;", "`");

describe.each([
  ["Discord", inDiscord, "<@1>"],
  ["Rocket.Chat", inRocketChat, "@olga"],
])("in %s", (_product, markdown, mention) => {
  const rendered = (text: string) => htmlWithNames(markdown(text));

  test.each([
    ["~~~~~~~~~~", `~~~~~~~~~~\n${mention} news\n~~~~~~~~~~\nmore`],
    ["~~~", `~~~ warning\n${mention} never closed`],
    ["```", `\`\`\`\n${mention} never closed`],
    ["```js", `text\n\`\`\`js\n${mention} never closed`],
    ["~~~", `> ~~~\n> ${mention} quoted`],
  ])("keeps %p in %p", (line, text) => {
    const html = rendered(text);
    expect(html).toContain(line);
    expect(html).toContain('data-user-id="4"');
    expect(html).not.toContain("<code>");
  });

  test.each([
    ["```\na *b*\n```\nafter", "a *b*\n"],
    ["````\na\n````\nafter", "`\na\n"],
    ["```js\n~~~\n```\nafter", "~~~"],
  ])("finds the code of %p", (text, code) => {
    const html = rendered(text);
    expect(html.replaceAll(/<\/?span[^>]*>/g, "")).toContain(`<code>${code}`);
    expect(html).toContain("after</p>");
  });
});
