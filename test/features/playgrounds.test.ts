// Playgrounds: sites where code of a language can be tried.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /realm/playgrounds";
const PYTHON = {
  name: "Python here",
  pygments_language: "Python",
  url_template: "https://play.example/{code}",
};

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
const remove = (id: number) => testServer.request("ada", `DELETE /realm/playgrounds/${id}`);

test("adds and removes a playground, with events to everyone", async () => {
  const { events, result: id } = await staysInSync(testServer, ["bo", "gus"], () => add(PYTHON));
  const event = { type: "realm_playgrounds", realm_playgrounds: [{ id, ...PYTHON }] };
  expect(events.gus).toMatchObject([event]);
  const removal = await staysInSync(testServer, ["bo", "gus"], () => remove(id));
  expect(removal.events.bo).toMatchObject([{ type: "realm_playgrounds", realm_playgrounds: [] }]);
});

test("resets the default code language with its last playground", async () => {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    const settings = { ...realm.settings, default_code_block_language: "Python" };
    tx.realm.put({ ...realm, settings });
  });
  const [firstResponse, other] = [
    await add(PYTHON),
    await add({ ...PYTHON, name: "Python there" }),
  ];
  const first = await staysInSync(testServer, ["bo"], () => remove(firstResponse));
  expect(first.events.bo).toHaveLength(1);
  const last = await staysInSync(testServer, ["bo"], () => remove(other));
  expect(last.events.bo!.at(-1)).toMatchObject({
    ...{ type: "realm", op: "update", property: "default_code_block_language", value: "" },
  });
});

test("rejects an invalid playground", async () => {
  const id = await add(PYTHON);
  const url = (text: string) => realmErrors.fieldsInvalid({ url_template: [text] });
  const cases: [Params, errors.Refusal][] = [
    [{ url_template: "https://x/{" }, url("Invalid URL template.")],
    [{ url_template: "javascript:{code}" }, url("Invalid URL template.")],
    [{ url_template: "{+code}" }, url("Invalid URL template.")],
    [
      { url_template: "https://x/" },
      url('Missing the required variable "code" in the URL template'),
    ],
    [
      { url_template: "https://x/{code}{more}" },
      url('"code" should be the only variable present in the URL template'),
    ],
    [
      { pygments_language: "Py<thon" },
      realmErrors.fieldsInvalid({ pygments_language: ["Invalid characters in pygments language"] }),
    ],
    [{ pygments_language: "p".repeat(41) }, channelErrors.tooLong("pygments_language", 40)],
    [
      { name: PYTHON.name },
      realmErrors.fieldsInvalid({ name: ["This language already has a playground of that name."] }),
    ],
  ];
  for (const [wrong, refusal] of cases) {
    await expectRefused(refusal, "ada", POST, { ...PYTHON, name: "new", ...wrong });
  }
  await expectRefused(realmErrors.playgroundNotFound(), "ada", "DELETE /realm/playgrounds/9999");
  for (const line of [POST, `DELETE /realm/playgrounds/${id}`]) {
    await expectRefused(errors.mustBeAdministrator(), "mo", line);
  }
});
