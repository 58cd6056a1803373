// Indexed words of a text, the parsing of queries, and highlighting in HTML.
import { describe, expect, test } from "bun:test";
import { highlightedHtml, highlightedText } from "../../src/text/highlight.ts";
import { plainText } from "../../src/text/plain-text.ts";
import { parseQuery } from "../../src/text/search/query.ts";
import { termList, termListOfHtml } from "../../src/text/search/term-list.ts";
import { folded, termsOf } from "../../src/text/search/words.ts";

describe("terms", () => {
  test.each([
    ["Deployments deployed", "deployments deploy deployed"],
    ["don’t l'hôpital", "don l hopital hopit"],
    ["snake_case v1.2-rc.3", "snake case v1 2 rc 3"],
    ["Straße, ŒUVRE, Ångström, Łódź", "strasse strass oeuvre oeuvr angstrom lodz"],
    ["ΣΊΣΥΦΟΣ Σίσυφος", "σισυφοσ"],
    ["мой ёлка Привет", "мой елка привет"],
    ["ﬁne ½ ③ ｆｕｌｌ", "fine 1 2 3 full"],
    ["東京タワー", "東京 京タ タワ ワー ー"],
    ["が ぱ か", "が ぱ か"],
    ["학교에서 API서버", "학교 교에 에서 서 api 서버 버"],
    ["𠮷野家", "𠮷野 野家 家"],
    ["กรุงเทพ", "กร รุ ุง งเ เท ทพ พ"],
    ["the same, the same", "same"],
    ["to be or not to be", "to be or not"],
    ["… — 👍 \ue000 \ufe0f", ""],
    ["x".repeat(60), "x".repeat(40)],
  ])("of %j are %j", (text, terms) => {
    expect([...termsOf(text)].join(" ")).toBe(terms);
  });

  test("sort by bytes as by strings", () => {
    const terms = [...termsOf("a z é 東京 﨎 𠮷野家 ｱ \ufdfa क é́ 0")];
    const bytes = (term: string) => Buffer.from(term, "utf8");
    const sorted = terms.toSorted((a, b) => Buffer.compare(bytes(a), bytes(b)));
    expect(terms.toSorted()).toEqual(sorted);
  });

  test("folding a text does not change its terms", () => {
    for (const text of ["Crème BRÛLÉE", "İstanbul", "ﬂuß", "Ǆ ǅ", "ё Й"]) {
      expect(folded(folded(text))).toBe(folded(text));
      expect([...termsOf(folded(text))]).toEqual([...termsOf(text)]);
    }
  });
});

test("a list of terms contains the set of terms", () => {
  const texts = [
    "The cat and the CATS",
    "to be or not",
    "…",
    "café 東京タワー deployed",
    `${"x".repeat(50)} ${"x".repeat(40)} ${"x".repeat(39)}y`,
    Array.from({ length: 5_000 }, (_, n) => `running${n % 4_000}`).join(" "),
    // The cache does not remember all words of these texts.
    ...[0, 9_000, 18_000].map((first) => {
      return Array.from({ length: 9_000 }, (_, n) => `w${first + n}`).join(" ");
    }),
    // This text is too long for the cache.
    Array.from({ length: 70_000 }, (_, n) => `w${n}`).join(" "),
  ];
  for (const text of [...texts, ...texts]) expect(new Set(termList(text))).toEqual(termsOf(text));
});

test("a list of the terms of HTML contains those of its visible text", () => {
  const htmls = [
    "<p>re<strong>A</strong>dy, <EM>se</EM>t &amp; go</p><p>on</p>",
    "<p>One</p><ul><li>two</li></ul>three<br>four",
    '<a href="/hidden" title="title">li</a>nk',
    "running < walking > ran <b",
    "<<b>bold</b> <3 <>x<!-- comment -->y",
    "<p>the</p>",
    "<p>caf\u00e9</p>",
    `<b>${"x".repeat(39)}</b>yz`,
    // The text has the maximum length, and its last character has two bytes.
    `${"a".repeat(65_535)}\u00e9`,
    `${"b ".repeat(40_000)}<p>c</p>`,
  ];
  for (const html of [...htmls, ...htmls]) {
    expect(new Set(termListOfHtml(html))).toEqual(termsOf(plainText(html)));
    expect(new Set(termList(html))).toEqual(termsOf(html));
  }
});

describe("the text of", () => {
  test.each([
    ["<p>Foo<strong>bar</strong> a&amp;b &lt;x&gt; &#39;q&#x27;</p>", " Foobar a&b <x> 'q' "],
    ["<ul><li>one</li><li>two</li></ul>", "  one  two  "],
    [
      '<p>see <a href="/x">here</a><br>there &nosuch; &#9999999;</p>',
      " see here there &nosuch; &#9999999; ",
    ],
  ])("%j is %j", (html, text) => expect(plainText(html)).toBe(text));
});

describe("a query", () => {
  const exact = (...words: string[]) => words.map((word) => ({ exact: word }));

  test("searches stemmed words and the last prefix, without stop words", () => {
    expect(parseQuery("the Deployments of meeti")).toMatchObject({
      words: [{ exact: "deploy" }, { exact: "meeti", prefix: "meeti" }],
      phrases: [],
      compounds: [],
    });
    expect(parseQuery("depl* x").words).toEqual([
      { exact: "depl", prefix: "depl" },
      { exact: "x" },
    ]);
    expect(parseQuery("to the").words).toEqual([{ exact: "to" }, { exact: "the", prefix: "the" }]);
  });

  test("parses phrases in any quotes, closed or not", () => {
    expect(parseQuery('“Big  Cat” "dog')).toEqual({
      hasOnlyStopWords: false,
      unquoted: [],
      words: exact("big", "cat", "dog"),
      phrases: ["big  cat", "dog"],
      compounds: [],
    });
    expect(parseQuery('"to be"').words).toEqual(exact("to", "be"));
    expect(parseQuery('"" ')).toMatchObject({ words: [], phrases: [], compounds: [] });
  });

  test("keeps words that are joined together", () => {
    expect(parseQuery("(a.b_c), x").compounds).toEqual(["a.b_c"]);
    expect(parseQuery("東京タワー 東京 bo's don’t it's").compounds).toEqual(["東京タワー"]);
    expect(parseQuery("東京タワー").words).toEqual(exact("東京", "京タ", "タワ", "ワー"));
    expect(parseQuery("猫").words).toEqual([{ prefix: "猫" }]);
  });
});

describe("search terms", () => {
  const highlightWords = (html: string, query: string, asParts = false) =>
    highlightedHtml(html, parseQuery(query), asParts).replaceAll(
      /<span class="highlight">(.*?)<\/span>/gs,
      "[$1]",
    );

  test.each([
    [
      "<p>Deploy, deployed and deploying</p>",
      "deployment",
      "<p>[Deploy], [deployed] and [deploying]</p>",
    ],
    ["<p>Tea &amp; milk</p>", "tea milk", "<p>[Tea] &amp; [milk]</p>"],
    ["<p>amp &amp; lt</p>", "amp lt", "<p>[amp] &amp; [lt]</p>"],
    ['<a href="/tea" title="tea">tea</a>', "tea", '<a href="/tea" title="tea">[tea]</a>'],
    ["<p>green <b>te</b>a</p>", "tea", "<p>green <b>te</b>a</p>"],
    ["<p>the Big  Cat sat</p>", '"big  cat"', "<p>the [Big  Cat] sat</p>"],
    ["<p>a &lt;b&gt; c</p>", '"a <b>"', "<p>[a &lt;b&gt;] c</p>"],
    ["<p>Café cafe\u0301 CAFES</p>", "cafe", "<p>[Café] [cafe\u0301] [CAFES]</p>"],
    ["<p>大きな東京タワーへ</p>", "東京タワー", "<p>大きな[東京タワー]へ</p>"],
    ["<p>黒猫と猫</p>", "猫", "<p>黒[猫]と[猫]</p>"],
    ["<p>meeting meet</p>", "meeti", "<p>[meeting] meet</p>"],
    ["<p>Großes ﬁsh</p>", "gros fish", "<p>Großes [ﬁsh]</p>"],
    ["<p>the tea</p>", "the tea", "<p>the [tea]</p>"],
    ["<p>𠮷野家で</p>", "野家", "<p>𠮷[野家]で</p>"],
  ])("in %j by %j: %j", (html, query, expected) =>
    expect(highlightWords(html, query)).toBe(expected),
  );

  test("highlights matches inside words on request", () => {
    expect(highlightWords("<p>Donaudampfschiff</p>", "dampf")).toBe("<p>Donaudampfschiff</p>");
    expect(highlightWords("<p>Donaudampfschiff</p>", "dampf", true)).toBe(
      "<p>Donau[dampf]schiff</p>",
    );
  });

  test("returns highlighted text as HTML", () => {
    const html = 'a &lt;<span class="highlight">b</span>&gt; &amp;amp;';
    expect(highlightedText("a <b> &amp;", parseQuery("b"))).toBe(html);
  });
});
