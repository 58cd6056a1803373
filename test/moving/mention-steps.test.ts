// The number of steps for mentions grows with the length of a message, not with its square.
import { expect, test } from "bun:test";
import {
  type DiscordNames,
  markdownOf as discordMarkdown,
  MENTION_LENGTH_MAX,
} from "../../src/features/moving/discord/markdown.ts";
import { markdownOf as teamsMarkdown } from "../../src/features/moving/teams/message-body.ts";
import { textHere } from "../../src/features/moving/zulip/read/text.ts";
import type { TeamsMention } from "../../src/features/moving/teams/shapes.ts";

/** A map that counts how often it is read. */
class CountingMap extends Map<string, string> {
  reads = 0;

  override has(key: string): boolean {
    this.reads += 1;
    return super.has(key);
  }

  override get(key: string): string | undefined {
    this.reads += 1;
    return super.get(key);
  }

  override keys() {
    this.reads += this.size;
    return super.keys();
  }

  override entries() {
    this.reads += this.size;
    return super.entries();
  }

  override [Symbol.iterator]() {
    return this.entries();
  }
}

const range = (count: number) => Array.from({ length: count }, (_, nth) => nth);
const NO_NAMES = { isUser: () => false, channel: () => undefined, role: () => undefined };

function names(mentioned: CountingMap, shortNames = new CountingMap()): DiscordNames {
  return { ...NO_NAMES, emoji: (_id, name) => name, mentioned, shortNames };
}

function discordReads(count: number): number {
  const mentioned = new CountingMap(range(count).map((nth) => [`User ${nth}`, `U:${nth}`]));
  const shortNames = new CountingMap(range(count).map((nth) => [`emo${nth}`, `here${nth}`]));
  const text = range(count).map((nth) => `@User ${nth}, :emo${nth}:`);
  const expected = discordMarkdown(text.join(" "), names(mentioned, shortNames));
  expect(expected).toBe(
    range(count)
      .map((nth) => `\u0001U:${nth}\u0001, :here${nth}:`)
      .join(" "),
  );
  return mentioned.reads + shortNames.reads;
}

test("reads the names of a Discord message a limited number of times for each mention", () => {
  const [few, manyReads] = [discordReads(200), discordReads(2_000)];
  expect(manyReads).toBeLessThan(20 * few);
  expect(manyReads).toBeLessThan(2_000 * MENTION_LENGTH_MAX);
});

test.each([
  ["the longest name", "@Ann Lee and @Ann", "\u0001U:2\u0001 and \u0001U:1\u0001"],
  ["no beginning of a longer word", "@Anna @Ann_ @Anné", "@Anna @Ann_ @Anné"],
  ["a name next to another", "@Ann@Ann.", "\u0001U:1\u0001\u0001U:1\u0001."],
  ["the shorter name before a word", "@Ann Leeds", "\u0001U:1\u0001 Leeds"],
  ["no address", "a@example.com @", "a@example.com @"],
])("replaces %s in a Discord message", (_title, text, expected) => {
  const mentioned = new CountingMap([
    ["Ann", "U:1"],
    ["Ann Lee", "U:2"],
  ]);
  expect(discordMarkdown(text, names(mentioned))).toBe(expected);
});

test("replaces emoji that share a colon in a Discord message", () => {
  const shortNames = new CountingMap([
    ["a", "b"],
    ["b", "c"],
  ]);
  const expected = discordMarkdown("12:30:a:b: :a:", names(new CountingMap(), shortNames));
  expect(expected).toBe("12:30:b:c: :b:");
});

function teamsReads(count: number): number {
  let reads = 0;
  const mentions = range(count).map((nth): TeamsMention => ({
    get Id() {
      reads += 1;
      return nth;
    },
    Mentioned: { User: { Id: String(nth) } },
  }));
  const ats = range(count).map((nth) => `<at id="${nth}">Name</at>`);
  const expected = teamsMarkdown(
    { Body: { Content: ats.join(", ") }, Mentions: mentions },
    [],
    () => true,
  );
  expect(expected.split("\u0001U:")).toHaveLength(count + 1);
  return reads;
}

test("reads each mention of a Teams message once", () => {
  expect(teamsReads(300)).toBe(300);
});

test("converts a text with very many blocks of code", () => {
  const text = "```".repeat(400_000);
  expect(discordMarkdown(text, names(new CountingMap()))).toStartWith("```\n\n```\n```");
});

test("renames a limited number of users in a message of Zulip", () => {
  const nths = range(20_000);
  const rendered = nths.map((nth) => `<span data-user-id="${nth}">@old ${nth}</span>`);
  const mentions = nths.map((nth) => `@**old ${nth}**`).join(" ");
  const texts = { oldUrl: undefined, nameOf: (id: number) => `new ${id}` };
  const { text } = textHere(texts, mentions, rendered.join(""));
  expect(text).toStartWith("@**new 0|0** @**new 1|1**");
});
