// Linkifiers: text that the organization's own patterns turn into links; also playgrounds.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /realm/filters";
const TICKET = { pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}" };
const WIKI = { pattern: "W-(?P<page>\\w+)", url_template: "https://wiki.example/{page}" };

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg, extra } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({
    status,
    code,
    msg,
    ...extra,
  });
}

const add = async (params: Params) => (await testServer.request("ada", POST, params)).id as number;
const listLinkifiers = async (): Promise<Json[]> =>
  (await testServer.request("gus", "GET /realm/linkifiers")).linkifiers;
const listLinkifierIds = async () => (await listLinkifiers()).map(({ id }) => id as number);
const html = async (content: string) =>
  (await testServer.request("bo", "POST /messages/render", { content })).rendered as string;

test("creates, changes and deletes a linkifier, with events to supporting clients", async () => {
  const plainListener = await testServer.listen("bo");
  const { events, result: id } = await staysInSync(testServer, ["bo", "gus"], () => add(TICKET));
  const object = {
    ...{ id, ...TICKET, example_input: null, reverse_template: null },
    alternative_url_templates: [],
  };
  const event = { type: "realm_linkifiers", realm_linkifiers: [object] };
  expect(events.gus).toMatchObject([event]);
  expect(await plainListener.takeAll()).toEqual([]);
  expect(plainListener.registered.realm_linkifiers).toEqual([]);
  const client_capabilities = '{"linkifier_url_template": true}';
  const capableListener = await testServer.listen("bo", { client_capabilities });
  expect(capableListener.registered.realm_linkifiers).toEqual(await listLinkifiers());
  expect(await listLinkifiers()).toEqual([object]);

  const line = `PATCH /realm/filters/${id}`;
  const more = {
    example_input: "#12",
    reverse_template: "#{id}",
    alternative_url_templates: ["https://old.example/{id}"],
  };
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { ...TICKET, ...more }),
  );
  const quiet = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, TICKET),
  );
  expect(quiet.events.bo).toEqual([]);
  expect(await listLinkifiers()).toEqual([{ ...object, ...more }]);
  const minimal = { ...TICKET, example_input: "", reverse_template: "" };
  await testServer.request("ada", line, { ...minimal, alternative_url_templates: [] });
  expect(await listLinkifiers()).toEqual([object]);

  await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("ada", `DELETE /realm/filters/${id}`),
  );
  expect(await listLinkifiers()).toEqual([]);
});

test("links messages, topics and descriptions", async () => {
  await add(TICKET);
  expect(await html("see #12, now")).toBe(
    '<p>see <a href="https://bugs.example/12">#12</a>, now</p>',
  );
  const { id: to } = await testServer.request("bo", "POST /channels/create", {
    ...{ name: "bugs", subscribers: [testServer.idOf("bo")], description: "as #1" },
  });
  const { stream } = await testServer.request("bo", `GET /streams/${to}`);
  expect(stream.rendered_description).toContain('href="https://bugs.example/1"');
  const params = { type: "stream", to, topic: "crash #7", content: "#8" };
  const { id } = await testServer.request("bo", "POST /messages", params);
  const links = [{ text: "#7", url: "https://bugs.example/7" }];
  const { message } = await testServer.request("bo", `GET /messages/${id}`);
  expect(message.topic_links).toEqual(links);
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `PATCH /messages/${id}`, { topic: "crash #9" }),
  );
  expect(events.bo!.find(({ type }) => type === "update_message")).toMatchObject({
    topic_links: [{ text: "#9", url: "https://bugs.example/9" }],
  });
});

test("applies linkifiers in the order that an administrator sets", async () => {
  const narrow = { pattern: "#(?P<id>1[0-9])", url_template: "https://teens.example/{id}" };
  const ids = [await add(TICKET), await add(narrow), await add(WIKI)];
  expect(await html("#12")).toContain("https://bugs.example/12");
  const line = "PATCH /realm/linkifiers";
  const ordered_linkifier_ids = ids.toReversed();
  const { events } = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { ordered_linkifier_ids }),
  );
  expect(events.bo).toHaveLength(1);
  expect(await listLinkifierIds()).toEqual(ordered_linkifier_ids);
  expect(await html("#12")).toContain("https://teens.example/12");
  const secondResult = await staysInSync(testServer, ["bo"], () =>
    testServer.request("ada", line, { ordered_linkifier_ids }),
  );
  expect(secondResult.events.bo).toEqual([]);
  const doubled = { ordered_linkifier_ids: [...ids, ids[0]] };
  await expectRefused(realmErrors.linkifiersDoubled(), "ada", line, doubled);
  for (const wrong of [[], ids.slice(1), [...ids, 9999]]) {
    const params = { ordered_linkifier_ids: wrong };
    await expectRefused(realmErrors.linkifiersIncomplete(), "ada", line, params);
  }
  const last = await add({ pattern: "last", url_template: "https://last.example" });
  expect((await listLinkifierIds()).at(-1)).toBe(last);
});

test("rejects a pattern and templates that do not match, with all errors", async () => {
  const id = await add(TICKET);
  const { url_template } = TICKET;
  const invalid = ["Invalid URL template."];
  const errorForAll = (text: string) => ({ __all__: [text] });
  const missing = "Bad regular expression: missing closing ): `(?P<id>x`";
  const cases: [Params, Record<string, string[]>][] = [
    [{ pattern: "(?P<id>x" }, { pattern: [missing] }],
    [
      { pattern: "(?P<id>x", url_template: "{" },
      { pattern: [missing], url_template: invalid },
    ],
    [{ pattern: "" }, { pattern: ["Bad regular expression: empty pattern"] }],
    [{ url_template: "x{id" }, { url_template: invalid }],
    [{ reverse_template: "{id" }, { reverse_template: ["Invalid reverse template."] }],
    [{ alternative_url_templates: ["{a b}"] }, { alternative_url_templates: invalid }],
    [
      { url_template: "https://x/{id}/{other}" },
      errorForAll("Group 'other' in URL template is not present in linkifier pattern."),
    ],
    [
      { url_template: "https://x/" },
      errorForAll("Group 'id' in linkifier pattern is not present in URL template."),
    ],
    [
      { reverse_template: "#{other}" },
      errorForAll("Group 'other' in URL template is not present in linkifier pattern."),
    ],
    [{ pattern: WIKI.pattern }, { pattern: ["A linkifier with this pattern already exists."] }],
  ];
  await add(WIKI);
  for (const [wrong, faults] of cases.slice(0, -1)) {
    const params = { ...TICKET, pattern: "N(?P<id>x)", ...wrong };
    await expectRefused(realmErrors.fieldsInvalid(faults), "ada", POST, params);
  }
  for (const [wrong, faults] of cases) {
    const template = wrong["pattern"] === WIKI.pattern ? WIKI.url_template : url_template;
    const params = { ...TICKET, url_template: template, ...wrong };
    await expectRefused(
      realmErrors.fieldsInvalid(faults),
      "ada",
      `PATCH /realm/filters/${id}`,
      params,
    );
  }
  await testServer.request("ada", POST, {
    ...TICKET,
    pattern: "(?P<id>é+)",
    reverse_template: "{{{id}}}",
  });
});

const HARMFUL_PATTERNS = [
  ...["javascript:alert({id})", " JavaScript:{id}", "java\tscript:{id}", "data:text/html,{id}"],
  ...["vbscript:{id}", "{+id}", "java{+id}", "{id}:alert(1)", "{id}script:alert(1)", "{id}{+id}/x"],
];
const HARMLESS_PATTERNS = [
  ...["https://x/{id}", "mailto:{id}", "/tickets/{id}", "//x/{+id}", "https://x/javascript:{id}"],
  ...["{id}", "{id}/x:y", "{#id}"],
];

test("rejects a template whose value could become a script", async () => {
  const id = await add(TICKET);
  const harmError = ["Invalid URL template."];
  for (const template of HARMFUL_PATTERNS) {
    const line = `PATCH /realm/filters/${id}`;
    const other = { ...TICKET, alternative_url_templates: [template] };
    const wrong = { ...TICKET, url_template: template };
    await expectRefused(realmErrors.fieldsInvalid({ url_template: harmError }), "ada", line, wrong);
    const refusal = realmErrors.fieldsInvalid({ alternative_url_templates: harmError });
    await expectRefused(refusal, "ada", line, other);
  }
  for (const url_template of HARMLESS_PATTERNS) {
    await testServer.request("ada", `PATCH /realm/filters/${id}`, { ...TICKET, url_template });
  }
});

test("rejects users without permission, and missing linkifiers", async () => {
  const id = await add(TICKET);
  const rows = ["POST /realm/filters", `PATCH /realm/filters/${id}`, "PATCH /realm/linkifiers"];
  for (const line of [...rows, `DELETE /realm/filters/${id}`]) {
    await expectRefused(errors.mustBeAdministrator(), "mo", line);
  }
  await expectRefused(realmErrors.linkifierNotFound(), "ada", "PATCH /realm/filters/999", WIKI);
  await expectRefused(realmErrors.linkifierNotFound(), "ada", "DELETE /realm/filters/999");
  await expectRefused(
    errors.missingParameter("url_template"),
    "ada",
    `PATCH /realm/filters/${id}`,
    {
      pattern: "x",
    },
  );
  const long = { ...TICKET, pattern: "x".repeat(1_001) };
  await expectRefused(channelErrors.tooLong("pattern", 1_000), "ada", POST, long);
  for (let n = 1; n < 200; n++) await add({ pattern: `p${n}`, url_template: "https://x.example" });
  await expectRefused(channelErrors.tooMany("linkifiers", 200), "ada", POST, WIKI);
});
