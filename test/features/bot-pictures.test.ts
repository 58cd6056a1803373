// The picture of a bot, in the form that makes or changes it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { staysInSync } from "../sync.ts";
import { openTown, type Town } from "../town.ts";
import { discarded, post, read, striped } from "./uploading.ts";

let town: Town;
beforeEach(async () => {
  town = await openTown();
});
afterEach(() => town.close());

const picture = { name: "x.png", bytes: striped(300, 100), type: "image/png" };
const NEW = "POST /bots";

const picturesKept = () =>
  readdirSync(join(town.directory, "data/uploads/pictures")).filter((name) =>
    name.endsWith(".webp"),
  );

function isRefusal(answer: unknown, { errCode: code, status, message: msg }: errors.Refusal) {
  expect(answer).toMatchObject({ status, code, msg });
}

test("a bot is made with a picture, and gets another, whoever sees it", async () => {
  const rob = { full_name: "Rob", short_name: "rob" };
  const { result, heard } = await staysInSync(town, ["bo", "cy", "gus"], () =>
    post(town, "bo", NEW, [picture], rob),
  );
  const { user_id, avatar_url } = result;
  expect(avatar_url).toMatch(/^\/user_avatars\/1\/[\w-]{24}\.webp\?version=2$/);
  expect(heard.cy!.map(({ type, op }) => `${type} ${op}`)).toContain("realm_user update");
  expect((await read(town, "cy", avatar_url)).status).toBe(200);
  const { members } = await town.ask("gus", "GET /users", { user_ids: [user_id] });
  expect(members[0].avatar_url).toBe(avatar_url);

  const line = `PATCH /bots/${user_id}`;
  const changed = await staysInSync(town, ["bo", "cy"], () =>
    post(town, "bo", line, [picture], { full_name: "Robby" }),
  );
  expect(changed.result).toMatchObject({ status: 200, full_name: "Robby" });
  expect(changed.result.avatar_url).toEndWith("?version=3");
  await discarded(town);
  expect(picturesKept().length).toBe(2);
  const overridden = await post(town, "bo", `POST /bots/${user_id}`, [], {
    method: "PATCH",
    full_name: "Bob",
  });
  expect(overridden.full_name).toBe("Bob");
});

test("what is no one picture is refused, and nothing is left of it", async () => {
  await post(town, "bo", NEW, [picture], { full_name: "Rob", short_name: "rob" });
  const before = picturesKept();
  const asked = { full_name: "Ron", short_name: "ron" };
  const { user_id } = await town.ask("bo", NEW, { full_name: "Sam", short_name: "sam" });
  const taken = { full_name: "Sam", short_name: "other" };
  const large = { name: "x.png", bytes: new Uint8Array(5 * 2 ** 20 + 1), type: "image/png" };
  const huge = { name: "x.png", bytes: new Uint8Array(9 * 2 ** 20), type: "image/png" };
  const words = { name: "x.png", bytes: "no picture", type: "image/png" };
  isRefusal(
    await post(town, "bo", NEW, [picture, picture], asked),
    peopleErrors.botPictureNotSingle(),
  );
  isRefusal(await post(town, "bo", NEW, [large], asked), realmErrors.pictureTooLarge(5));
  isRefusal(await post(town, "bo", NEW, [huge], asked), errors.bodyTooLarge());
  isRefusal(await post(town, "bo", NEW, [words], asked), realmErrors.badImage());
  isRefusal(await post(town, "bo", NEW, [picture], taken), peopleErrors.botNameTaken());
  isRefusal(await post(town, "gus", NEW, [picture], asked), errors.guestsNotAllowed());
  const foreign = await post(town, "cy", `PATCH /bots/${user_id}`, [picture]);
  isRefusal(foreign, channelErrors.insufficientPermission());
  await discarded(town);
  expect(picturesKept()).toEqual(before);
  const { members } = await town.ask("bo", "GET /users");
  expect(JSON.stringify(members)).not.toContain("Ron");
});
