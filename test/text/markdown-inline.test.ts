// Inline text of the Markdown dialect: emphasis, code, math, mentions, emoji, times.
import { describe, expect, test } from "bun:test";
import { isMeMessage, render } from "../../src/text/markdown/render.ts";
import { renderContext } from "./markdown-fixture.ts";

function cases(title: string, rows: readonly (readonly [source: string, html: string])[]) {
  describe(title, () => {
    test.each(rows)("%j", (source, html) => {
      expect(render(source, renderContext()).html).toBe(`<p>${html}</p>`);
    });
  });
}

cases("emphasis", [
  ["*tea*", "<em>tea</em>"],
  ["in*si*de", "in<em>si</em>de"],
  ["so * tea*", "so * tea*"],
  ["2 * 3 * 4", "2 * 3 * 4"],
  ["*a\nb*", "*a<br>\nb*"],
  ["**tea**", "<strong>tea</strong>"],
  ["** tea **", "<strong> tea </strong>"],
  ["**a\nb**", "**a<br>\nb**"],
  ["***tea***", "<strong><em>tea</em></strong>"],
  ["~~tea~~", "<del>tea</del>"],
  ["~~ a b ~~", "<del> a b </del>"],
  ["~~~tea~~", "~~~tea~~"],
  ["**a *b* c**", "<strong>a <em>b</em> c</strong>"],
  ["*a **b** c*", "<em>a <strong>b</strong> c</em>"],
  ["~~a **b**~~", "<del>a <strong>b</strong></del>"],
  ["_a_ __b__", "_a_ __b__"],
  ["a ** b", "a ** b"],
]);

cases("code", [
  ["`a&lt;b`", "<code>a&amp;lt;b</code>"],
  ["`` a`b ``", "<code> a`b </code>"],
  ["`*a* :tada: @**all**`", "<code>*a* :tada: @**all**</code>"],
  ["``a`", "<code>`a</code>"],
  ["`a", "`a"],
  ["`a``b`", "<code>a``b</code>"],
  [`\`"'\``, `<code>"'</code>`],
  ["**`a`**", "<strong><code>a</code></strong>"],
]);

describe("math", () => {
  test("renders inline math with KaTeX", () => {
    const { html } = render("so $$n+1$$.", renderContext());
    expect(html).toStartWith('<p>so <span class="katex"><span class="katex-mathml"><math');
    expect(html).toContain('<annotation encoding="application/x-tex">n+1</annotation>');
    expect(html).toEndWith("</span>.</p>");
  });

  test.each(["$$_a$$", "x$$a$$", "$$a$$b", "$$$a$$$", "$$a\nb$$", "$a$"])(
    "%j is text",
    (source) => {
      expect(render(source, renderContext()).html).not.toContain("katex");
    },
  );

  test("shows faulty source", () => {
    expect(render("$$\\frac{$$", renderContext()).html).toBe(
      '<p><span class="tex-error">$$\\frac{$$</span></p>',
    );
  });
});

const mia = '<span class="user-mention" data-user-id="31">@Mia Ruiz</span>';
const quietMia = '<span class="user-mention silent" data-user-id="31">Mia Ruiz</span>';
const everyone = (word: string) =>
  `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${word}</span>`;

cases("mentions", [
  ["@**Mia Ruiz**", mia],
  ["@**mia RUIZ**", mia],
  ["@**Mia Ruiz|31** @**|31**", `${mia} ${mia}`],
  ["@**mia ruiz|31**", "@<strong>mia ruiz|31</strong>"],
  ["@**Mia Ruiz|32**", "@<strong>Mia Ruiz|32</strong>"],
  ["@_**Mia Ruiz**", quietMia],
  ["@**Gone Girl**", '<span class="user-mention silent" data-user-id="33">Gone Girl</span>'],
  ["@**Otto <b>**", '<span class="user-mention" data-user-id="32">@Otto &lt;b&gt;</span>'],
  ["@**all** @**everyone**", `${everyone("all")} ${everyone("everyone")}`],
  ["@**channel** @**stream**", `${everyone("channel")} ${everyone("stream")}`],
  [
    "@_**all**",
    '<span class="user-mention channel-wildcard-mention silent" data-user-id="*">all</span>',
  ],
  ["@**topic**", '<span class="topic-mention">@topic</span>'],
  ["@_**topic**", '<span class="topic-mention silent">topic</span>'],
  ["@*support*", '<span class="user-group-mention" data-user-group-id="17">@support</span>'],
  ["@_*support*", '<span class="user-group-mention silent" data-user-group-id="17">support</span>'],
  [
    "@*old crew*",
    '<span class="user-group-mention silent" data-user-group-id="18">old crew</span>',
  ],
  [
    "@_*role:moderators*",
    '<span class="user-group-mention silent" data-user-group-id="3">Moderators</span>',
  ],
  ["@**Nobody Here**", "@<strong>Nobody Here</strong>"],
  ["@*nobody*", "@<em>nobody</em>"],
  ["x@**Mia Ruiz**", "x@<strong>Mia Ruiz</strong>"],
  ["(@**Mia Ruiz**)", `(${mia})`],
  ["**see @**Mia Ruiz****", `<strong>see ${mia}</strong>`],
]);

describe("mentioned users", () => {
  const mentionsIn = (source: string) => {
    const { mentioned_user_ids, mentioned_group_ids, ...rest } = render(source, renderContext());
    const { stream_wildcard, topic_wildcard } = rest;
    return [mentioned_user_ids, mentioned_group_ids, stream_wildcard, topic_wildcard];
  };

  test("lists active users once, without silent mentions", () => {
    const people = "@**Mia Ruiz** @**|31** @**Gone Girl** @_**|32**";
    expect(mentionsIn(people)).toEqual([[31], [], false, false]);
    expect(mentionsIn("@*support* @*old crew* @*support*")).toEqual([[], [17], false, false]);
    expect(mentionsIn("@**all** @**topic**")).toEqual([[], [], true, true]);
    expect(mentionsIn("`@**all**` @_**all** @_**topic**")).toEqual([[], [], false, false]);
  });

  test("ignores mentions in quotes", () => {
    const nobody = [[], [], false, false];
    expect(mentionsIn("> @**Mia Ruiz** @*support* @**all** @**topic**")).toEqual(nobody);
    expect(mentionsIn("```quote\n- @**Mia Ruiz** @**all**\n```")).toEqual(nobody);
    expect(render("> @**Mia Ruiz**", renderContext()).html).toContain(quietMia);
  });
});

const emoji = (name: string, code: string, title = name) =>
  `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">` +
  `:${name}:</span>`;

cases("emoji", [
  [":tada:", emoji("tada", "1f389")],
  ["🎉", emoji("tada", "1f389")],
  [":slight_smile:", emoji("slight_smile", "1f642", "slight smile")],
  [":+1::thumbs_up:", emoji("+1", "1f44d") + emoji("thumbs_up", "1f44d", "thumbs up")],
  ["❤️ ❤", `${emoji("heart", "2764")} ❤`],
  ["↔ ✔ ▶ 3\u20e3 ☕", `↔ ✔ ▶ 3\u20e3 ${emoji("coffee", "2615")}`],
  ["👍🏽", "👍🏽"],
  ["☺︎ ©", "☺︎ ©"],
  ["🇩🇪", emoji("flag_germany", "1f1e9-1f1ea", "flag germany")],
  ["3️⃣ 3", `${emoji("three", "0033-20e3")} 3`],
  ["👩‍🚀", emoji("woman_astronaut", "1f469-200d-1f680", "woman astronaut")],
  [":piñata:", emoji("piñata", "1fa85")],
  ["👍‍🎉", "👍‍🎉"],
  [
    ":big_parrot:",
    '<img alt=":big_parrot:" class="emoji" src="/user_avatars/2/emoji/images/5.gif" ' +
      'title="big parrot">',
  ],
  [
    ":zulip:",
    '<img alt=":zulip:" class="emoji" ' +
      'src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
  ],
  [":qqq: 10:30:20", ":qqq: 10:30:20"],
  ["**:tada:**", `<strong>${emoji("tada", "1f389")}</strong>`],
]);

const EMOTICONS: readonly (readonly [string, string, string])[] = [
  [":)", "slight_smile", "1f642"],
  ["(:", "slight_smile", "1f642"],
  [":(", "frown", "1f641"],
  ["<3", "heart", "2764"],
  [":|", "neutral", "1f610"],
  [":/", "confused", "1f615"],
  [";)", "wink", "1f609"],
  [":D", "smile", "1f604"],
  [":o", "open_mouth", "1f62e"],
  [":O", "open_mouth", "1f62e"],
  [":p", "stuck_out_tongue", "1f61b"],
  [":P", "stuck_out_tongue", "1f61b"],
];

test.each(EMOTICONS)("the emoticon %s is %s if enabled", (character, name, code) => {
  const image = emoji(name, code, name.replaceAll("_", " "));
  expect(render(`so, ${character}!`, renderContext()).html).toBe(`<p>so, ${image}!</p>`);
  const escaped = character.replace("<", "&lt;");
  expect(render(character, renderContext({ translate_emoticons: false })).html).toBe(
    `<p>${escaped}</p>`,
  );
  expect(render(`x${character}y`, renderContext()).html).toBe(`<p>x${escaped}y</p>`);
});

cases("times", [
  [
    "<time:2031-03-04T09:30+01:00>",
    '<time datetime="2031-03-04T08:30:00Z">2031-03-04T09:30+01:00</time>',
  ],
  ["<time:1925000000>", '<time datetime="2031-01-01T02:13:20Z">1925000000</time>'],
  ["<time:1925000000.75>", '<time datetime="2031-01-01T02:13:20Z">1925000000.75</time>'],
  ["<time:2031-03-04>", '<time datetime="2031-03-04T00:00:00Z">2031-03-04</time>'],
  [
    "<time:4 Mar 2031 9:30 pm EST>",
    '<time datetime="2031-03-05T02:30:00Z">4 Mar 2031 9:30 pm EST</time>',
  ],
  [
    "<time:March 4, 2031, 09:30:05>",
    '<time datetime="2031-03-04T09:30:05Z">March 4, 2031, 09:30:05</time>',
  ],
  ["<time:soon>", "&lt;time:soon&gt;"],
  ["<time:2031-02-30>", "&lt;time:2031-02-30&gt;"],
  ["<time:2031-03-04T09:30+25:00>", "&lt;time:2031-03-04T09:30+25:00&gt;"],
  ["<time:0000-03-04>", "&lt;time:0000-03-04&gt;"],
  ["<time:9999-12-31T23:00-02:00>", "&lt;time:9999-12-31T23:00-02:00&gt;"],
]);

test("a message about its sender starts with /me and a space", () => {
  expect(isMeMessage("/me sings")).toBe(true);
  expect(isMeMessage("/mean")).toBe(false);
  expect(isMeMessage(" /me sings")).toBe(false);
});
