// Names that an import inserts are rendered as mentions, whatever text is around them.
import { expect, test } from "bun:test";
import { textOf } from "../../src/features/moving/source/message-text.ts";

const NAMES = {
  user: (key: string) => `@**${key}|1**`,
  channel: (key: string) => `#**${key}**`,
};

/** `<x>` is a user and `{x}` a channel. */
const written = (text: string) =>
  textOf(
    {
      markdown: text
        .replaceAll(/<(\w+)>/g, "\u0001$1\u0001")
        .replaceAll(/\{(\w+)\}/g, "\u0002$1\u0002"),
    },
    NAMES,
  );

const CASES: [given: string, expected: string][] = [
  ["hello <bo>, see {ops}.", "hello @**bo|1**, see #**ops**."],
  ["**<bo>**", "@**bo|1**"],
  ["*~~<bo>~~*", "@**bo|1**"],
  ["**<bo> comes** now", "@**bo|1** **comes** now"],
  ["**hello <bo>**", "**hello @**bo|1****"],
  ["**bold**<bo>", "**bold** @**bo|1**"],
  ["🙂<bo> -<cy> x:{ops}", "🙂 @**bo|1** - @**cy|1** x: #**ops**"],
  ["(<bo>) '<cy>' /{ops}", "(@**bo|1**) '@**cy|1**' /#**ops**"],
  ["<bo><cy>", "@**bo|1** @**cy|1**"],
  ["**@**all**** and _@**all** here_", "@**all** and @**all** _here_"],
  ["no name *at all*", "no name *at all*"],
];

test.each(CASES)("%s", (given, expected) => {
  expect(written(given)).toBe(expected);
});
