// Image uploads in progress are discarded when their owner is deactivated or loses permission.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import * as errors from "../../src/contract/errors/general.ts";
import { MEMBER } from "../../src/contract/roles.ts";
import type { Context } from "../../src/endpoint.ts";
import { deactivateWithBots } from "../../src/features/accounts/activation.ts";
import { withPicture } from "../../src/features/accounts/bots/picture.ts";
import { postAvatar } from "../../src/features/avatars/upload.ts";
import { postCustomEmoji } from "../../src/features/emoji/actions.ts";
import { postIcon, postLogo } from "../../src/features/organization/pictures.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { discarded, striped } from "./upload-fixture.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const bytes = striped(60, 60);
const getAda = () => testServer.realm.read.users.get(testServer.idOf("ada"))!;

/** The context of an admitted request. */
function context(label: string): Context {
  const body = new FormData();
  body.set(label, new File([bytes], "x.png", { type: "image/png" }));
  const request = new Request(testServer.url, { method: "POST", body });
  return { realm: testServer.realm, user: getAda(), request, files: [bytes] } as unknown as Context;
}

const UPLOADS: Record<string, () => unknown> = {
  avatar: () => postAvatar.run(context("avatar"), {}),
  emoji: () => postCustomEmoji.run(context("file"), { emoji_name: "sun" }),
  icon: () => postIcon.run(context("icon"), {}),
  logo: () => postLogo.run(context("logo"), { night: false }),
  "a bot's avatar": () => withPicture(context("file"), (_, give) => give(testServer.idOf("bot"))),
};

function pictures(): string[] {
  const folder = join(testServer.directory, "data/uploads");
  const names = readdirSync(folder, { recursive: true }) as string[];
  return names.filter((name) => /\.\w+$/.test(name));
}

async function expectNoPicture(upload: () => unknown, meanwhile: () => unknown, refusal: Error) {
  const response = upload() as Promise<unknown>;
  const changed = meanwhile();
  await expect(response).rejects.toThrow(refusal.message);
  await changed;
  await discarded(testServer);
  expect(pictures()).toEqual([]);
  expect(testServer.realm.read.custom_emoji.count()).toBe(0);
  expect([...testServer.realm.read.users.range()].every((user) => user.avatar_source !== "U")).toBe(
    true,
  );
}

test.each(Object.keys(UPLOADS))("%s: whose account is off by then is refused", async (name) => {
  const deactivateAda = () => testServer.realm.write((tx) => deactivateWithBots(tx, getAda()));
  await expectNoPicture(UPLOADS[name]!, deactivateAda, errors.accountDeactivated());
});

test.each(["icon", "logo"])(
  "%s: rejects a user who is no longer an administrator by then",
  async (name) => {
    const demoteAda = () =>
      testServer.realm.write((tx) => {
        tx.users.put({ ...getAda(), role: MEMBER });
      });
    await expectNoPicture(UPLOADS[name]!, demoteAda, errors.mustBeAdministrator());
  },
);
