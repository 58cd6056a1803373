// Uploaded avatars and organization pictures are cropped, displayed, replaced and deleted.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { png } from "../../src/pictures/png.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { bomb, discarded, post, read, striped } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const picture = { name: "x.png", bytes: striped(300, 100), type: "image/png" };
const AVATAR = "POST /users/me/avatar";

function isRefusal(response: unknown, { errCode: code, status, message: msg }: errors.Refusal) {
  expect(response).toMatchObject({ status, code, msg });
}

async function sizeAt(path: string) {
  const bytes = await (await read(testServer, null, path)).bytes();
  const { width, height } = await new Bun.Image(bytes).metadata();
  return [width, height];
}

const storedPictures = (folder = "") =>
  readdirSync(join(testServer.directory, "data/uploads/pictures", folder)).filter((name) =>
    name.endsWith(".webp"),
  );

async function change(changes: object) {
  await testServer.realm.write((tx) => {
    const realm = tx.realm.get(1)!;
    tx.realm.put({ ...realm, settings: { ...realm.settings, ...changes } });
  });
}

test("sends the event of a user's avatar to everyone, in two sizes", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "gus"], () =>
    post(testServer, "bo", AVATAR, [picture]),
  );
  const { avatar_url } = result;
  expect(avatar_url).toMatch(/^\/user_avatars\/1\/[\w-]{24}\.webp\?version=2$/);
  const avatar_url_medium = avatar_url.replace(".webp", "-medium.webp");
  expect(events.gus).toMatchObject([
    {
      type: "realm_user",
      op: "update",
      person: {
        user_id: testServer.idOf("bo"),
        avatar_source: "U",
        avatar_url,
        avatar_url_medium,
        avatar_version: 2,
      },
    },
  ]);
  expect(await sizeAt(avatar_url)).toEqual([100, 100]);
  expect(await sizeAt(avatar_url_medium)).toEqual([500, 500]);
  const lead = await read(testServer, "cy", `/avatar/${testServer.idOf("bo")}/medium`);
  expect(lead.headers.get("location")).toBe(avatar_url_medium);
  const { message } = await messageFrom("bo");
  expect(message.avatar_url).toBe(avatar_url);
});

async function messageFrom(name: "bo") {
  const to = [testServer.idOf("cy")];
  const { id } = await testServer.request(name, "POST /messages", {
    type: "direct",
    to,
    content: "hi",
  });
  return testServer.request("cy", `GET /messages/${id}`);
}

test("shows the middle of a long picture", async () => {
  const { avatar_url } = await post(testServer, "cy", AVATAR, [
    { ...picture, bytes: pictureInThirds() },
  ]);
  const bytes = await (await read(testServer, null, avatar_url)).bytes();
  // A picture of a single color is scaled like any other.
  const blue = await post(testServer, "cy", AVATAR, [{ ...picture, bytes: pictureInThirds(1) }]);
  const expected = await (await read(testServer, null, blue.avatar_url)).bytes();
  const tinyPng = (of: Uint8Array) => new Bun.Image(of).resize(3, 3).png().bytes();
  expect(await tinyPng(bytes)).toEqual(await tinyPng(expected));
});

/** Creates an image in thirds of red, blue and red; with `sides` 1 it is blue. */
function pictureInThirds(sides = 0): Uint8Array<ArrayBuffer> {
  const isMiddle = (i: number) => i % 300 >= 100 && i % 300 < 200;
  const pixels = new Uint8Array(300 * 100).map((_, i) => (isMiddle(i) ? 1 : sides));
  return png(
    300,
    100,
    [
      [200, 30, 30],
      [30, 30, 200],
    ],
    pixels,
  );
}

test("replaces the first avatar and deletes its file", async () => {
  const before = (await post(testServer, "bo", AVATAR, [picture])).avatar_url;
  await discarded(testServer);
  const count = storedPictures().length;
  const { avatar_url } = await post(testServer, "bo", AVATAR, [picture]);
  expect(avatar_url).toEndWith("?version=3");
  await discarded(testServer);
  expect((await read(testServer, null, before)).status).toBe(404);
  expect(storedPictures()).toHaveLength(count);
  const { result } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", "DELETE /users/me/avatar"),
  );
  expect(result.avatar_url).toBe(`/user_avatars/generated/${testServer.idOf("bo")}.png?version=4`);
  await discarded(testServer);
  expect(storedPictures()).toHaveLength(count - 2);
  const secondResponse = await testServer.request("bo", "DELETE /users/me/avatar");
  expect(secondResponse.avatar_url).toBe(result.avatar_url);
});

test("restores the gravatar in an organization with gravatars", async () => {
  await change({ default_avatar_source: "G" });
  await post(testServer, "bo", AVATAR, [picture]);
  const GRAVATAR = "https://secure.gravatar.com/avatar/";
  const computing = await testServer.listen("cy", {
    client_capabilities: { user_avatar_url_field_optional: true },
  });
  const { events, result } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", "DELETE /users/me/avatar"),
  );
  expect(result.avatar_url).toStartWith(GRAVATAR);
  const avatar_url = expect.stringContaining(GRAVATAR);
  expect(events.cy).toMatchObject([{ person: { avatar_source: "G", avatar_url } }]);
  const received = await computing.takeAll();
  expect(received).toMatchObject([{ person: { avatar_source: "G", avatar_url: null } }]);
  await change({ default_avatar_source: "J" });
});

test("rejects other files, and all users if avatar changes are disabled", async () => {
  const tryUpload = (...files: (typeof picture)[]) => post(testServer, "bo", AVATAR, files);
  isRefusal(await tryUpload(), realmErrors.pictureNotSingle("avatar"));
  isRefusal(await tryUpload(picture, picture), realmErrors.pictureNotSingle("avatar"));
  const large = { ...picture, bytes: new Uint8Array(5 * 2 ** 20 + 1) };
  isRefusal(await tryUpload(large), realmErrors.pictureTooLarge(5));
  isRefusal(
    await tryUpload({ ...picture, bytes: large.bytes.slice(9, 99) }),
    realmErrors.badImage(),
  );
  const tooMany = await tryUpload({ ...picture, bytes: bomb() });
  isRefusal(tooMany, realmErrors.imageTooLarge());
  expect(tooMany.code).toBe("BAD_IMAGE");
  await change({ avatar_changes_disabled: true });
  isRefusal(await tryUpload(picture), realmErrors.avatarChangesDisabled());
  isRefusal(
    await testServer.refused("bo", "DELETE /users/me/avatar"),
    realmErrors.avatarChangesDisabled(),
  );
  expect((await post(testServer, "ada", AVATAR, [picture])).status).toBe(200);
  await change({ avatar_changes_disabled: false });
});

test("sets and removes the organization's icon", async () => {
  const { result, events } = await staysInSync(testServer, ["gus"], () =>
    post(testServer, "ada", "POST /realm/icon", [picture]),
  );
  const { icon_url } = result;
  const data = { icon_url, icon_source: "U" };
  expect(events.gus).toMatchObject([{ type: "realm", op: "update_dict", property: "icon", data }]);
  expect(await sizeAt(icon_url)).toEqual([200, 200]);
  expect((await testServer.request(null, "GET /server_settings")).realm_icon).toBe(icon_url);
  const lead = await read(testServer, "gus", "/api/v1/realm/icon?x=1");
  expect([lead.status, lead.headers.get("location")]).toEqual([302, `${icon_url}&x=1`]);
  expect((await testServer.send("gus", "GET /realm/icon")).status).toBe(200);
  const removal = await staysInSync(testServer, ["gus"], () =>
    testServer.request("ada", "DELETE /realm/icon"),
  );
  expect(removal.result.icon_url).toStartWith("/user_avatars/generated/realm-medium.png");
  await discarded(testServer);
  expect((await read(testServer, null, icon_url)).status).toBe(404);
  isRefusal(
    await post(testServer, "bo", "POST /realm/icon", [picture]),
    errors.mustBeAdministrator(),
  );
  isRefusal(
    await post(testServer, "ada", "POST /realm/icon", []),
    realmErrors.pictureNotSingle("icon"),
  );
});

test("sets the organization's logos for light and dark themes", async () => {
  const wide = { ...picture, bytes: striped(1600, 100) };
  const put = (night: string) => post(testServer, "ada", "POST /realm/logo", [wide], { night });
  const { events } = await staysInSync(testServer, ["gus"], async () => {
    expect((await put("false")).status).toBe(200);
    expect((await put("true")).status).toBe(200);
  });
  expect(events.gus).toMatchObject([
    { property: "logo", data: { logo_source: "U" } },
    { property: "night_logo", data: { night_logo_source: "U" } },
  ]);
  const { night_logo_url } = events.gus![1]!["data"];
  expect(await sizeAt(night_logo_url)).toEqual([800, 50]);
  const lead = await read(testServer, "gus", "/api/v1/realm/logo?night=true");
  expect(lead.headers.get("location")).toBe(`${night_logo_url}&night=true`);
  expect((await testServer.send("gus", "GET /realm/logo", { night: false })).status).toBe(200);
  await staysInSync(testServer, ["gus"], () =>
    testServer.request("ada", "DELETE /realm/logo", { night: true }),
  );
  await discarded(testServer);
  expect(storedPictures("realm")).toHaveLength(1);
  isRefusal(
    await post(testServer, "ada", "POST /realm/logo", [wide]),
    errors.missingParameter("night"),
  );
  isRefusal(await put("dusk"), errors.malformed("night is not a boolean"));
});

test("GET //user_avatars/1/${file} serves only images", async () => {
  for (const path of ["1/x.webp", "1/../files/x.webp", "1/%2e%2e/data.mdb", "1/realm/x.html"]) {
    expect((await read(testServer, null, `/user_avatars/${path}`)).status).toBe(404);
  }
});
