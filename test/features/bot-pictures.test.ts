// The picture of a bot, in the form that makes or changes it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { discarded, post, read, striped } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const picture = { name: "x.png", bytes: striped(300, 100), type: "image/png" };
const NEW = "POST /bots";

const storedPictures = () =>
  readdirSync(join(testServer.directory, "data/uploads/pictures")).filter((name) =>
    name.endsWith(".webp"),
  );

function isRefusal(response: unknown, { errCode: code, status, message: msg }: errors.Refusal) {
  expect(response).toMatchObject({ status, code, msg });
}

test("creates a bot with an avatar and replaces it, with events", async () => {
  const rob = { full_name: "Rob", short_name: "rob" };
  const { result, events } = await staysInSync(testServer, ["bo", "cy", "gus"], () =>
    post(testServer, "bo", NEW, [picture], rob),
  );
  const { user_id, avatar_url } = result;
  expect(avatar_url).toMatch(/^\/user_avatars\/1\/[\w-]{24}\.webp\?version=2$/);
  expect(events.cy!.map(({ type, op }) => `${type} ${op}`)).toContain("realm_user update");
  expect((await read(testServer, "cy", avatar_url)).status).toBe(200);
  const { members } = await testServer.request("gus", "GET /users", { user_ids: [user_id] });
  expect(members[0].avatar_url).toBe(avatar_url);

  const line = `PATCH /bots/${user_id}`;
  const change = await staysInSync(testServer, ["bo", "cy"], () =>
    post(testServer, "bo", line, [picture], { full_name: "Robby" }),
  );
  expect(change.result).toMatchObject({ status: 200, full_name: "Robby" });
  expect(change.result.avatar_url).toEndWith("?version=3");
  await discarded(testServer);
  expect(storedPictures().length).toBe(2);
  const overridden = await post(testServer, "bo", `POST /bots/${user_id}`, [], {
    method: "PATCH",
    full_name: "Bob",
  });
  expect(overridden.full_name).toBe("Bob");
});

test("rejects a file that is not a single image, and creates nothing", async () => {
  await post(testServer, "bo", NEW, [picture], { full_name: "Rob", short_name: "rob" });
  const before = storedPictures();
  const params = { full_name: "Ron", short_name: "ron" };
  const { user_id } = await testServer.request("bo", NEW, { full_name: "Sam", short_name: "sam" });
  const duplicateName = { full_name: "Sam", short_name: "other" };
  const large = { name: "x.png", bytes: new Uint8Array(5 * 2 ** 20 + 1), type: "image/png" };
  const huge = { name: "x.png", bytes: new Uint8Array(9 * 2 ** 20), type: "image/png" };
  const words = { name: "x.png", bytes: "no picture", type: "image/png" };
  isRefusal(
    await post(testServer, "bo", NEW, [picture, picture], params),
    peopleErrors.botPictureNotSingle(),
  );
  isRefusal(await post(testServer, "bo", NEW, [large], params), realmErrors.pictureTooLarge(5));
  isRefusal(await post(testServer, "bo", NEW, [huge], params), errors.bodyTooLarge());
  isRefusal(await post(testServer, "bo", NEW, [words], params), realmErrors.badImage());
  isRefusal(
    await post(testServer, "bo", NEW, [picture], duplicateName),
    peopleErrors.botNameTaken(),
  );
  isRefusal(await post(testServer, "gus", NEW, [picture], params), errors.guestsNotAllowed());
  const foreign = await post(testServer, "cy", `PATCH /bots/${user_id}`, [picture]);
  isRefusal(foreign, channelErrors.insufficientPermission());
  await discarded(testServer);
  expect(storedPictures()).toEqual(before);
  const { members } = await testServer.request("bo", "GET /users");
  expect(JSON.stringify(members)).not.toContain("Ron");
});
