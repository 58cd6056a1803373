// The order of views in the navigation, and onboarding hints that are shown once.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { ONBOARDING_STEPS } from "../../src/features/navigation/rules.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const POST = "POST /navigation_views";

async function expectRefused(
  refusal: errors.Refusal,
  requester: Name,
  line: string,
  params: Params = {},
) {
  const { errCode: code, status, message: msg } = refusal;
  expect(await testServer.refused(requester, line, params)).toMatchObject({ status, code, msg });
}

const viewsOf = async (name: Name) =>
  (await testServer.request(name, "GET /navigation_views")).navigation_views;

test("adds, changes and removes a view, with events only to the user", async () => {
  const view = { fragment: "narrow/is/dm/é", is_pinned: true, name: "Letters" };
  const addition = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", POST, view),
  );
  expect(addition.events.bo).toMatchObject([
    { type: "navigation_view", op: "add", navigation_view: view },
  ]);
  expect(addition.events.cy).toEqual([]);
  expect(await viewsOf("bo")).toEqual([view]);
  expect(await viewsOf("cy")).toEqual([]);

  const encoded = encodeURIComponent(view.fragment);
  const path = `/navigation_views/${encoded}`;
  const change = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `PATCH ${path}`, { name: "Post", is_pinned: true }),
  );
  expect(change.events.bo).toMatchObject([
    { op: "update", fragment: view.fragment, data: { name: "Post" } },
  ]);
  const plain = `PATCH /navigation_views/${encodeURI(view.fragment)}`;
  const secondResult = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", plain, { name: "Mail" }),
  );
  expect(secondResult.events.bo).toMatchObject([
    { fragment: view.fragment, data: { name: "Mail" } },
  ]);
  await testServer.request("bo", plain, { name: "Post" });
  const same = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `PATCH ${path}`, {}),
  );
  expect(same.events.bo).toEqual([]);
  await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `PATCH ${path}`, { is_pinned: false }),
  );
  expect(await viewsOf("bo")).toEqual([{ ...view, name: "Post", is_pinned: false }]);
  await expectRefused(realmErrors.viewExists(), "bo", POST, view);
  for (const name of [" ", "n".repeat(101)]) {
    const refusal =
      name === " " ? realmErrors.viewNameInvalid() : channelErrors.tooLong("name", 100);
    await expectRefused(refusal, "bo", `PATCH ${path}`, { name });
  }

  const removal = await staysInSync(testServer, ["bo"], () =>
    testServer.request("bo", `DELETE /navigation_views/${encoded}`),
  );
  expect(removal.events.bo).toMatchObject([{ op: "remove", fragment: view.fragment }]);
  expect(await viewsOf("bo")).toEqual([]);
  for (const method of ["PATCH", "DELETE"]) {
    await expectRefused(realmErrors.viewNotFound(), "bo", `${method} ${path}`);
  }
});

test("requires a name for custom views, and keeps those of built-in ones", async () => {
  const inbox = { fragment: "inbox", is_pinned: false };
  await expectRefused(realmErrors.builtInViewNamed(), "cy", POST, { ...inbox, name: "Mine" });
  await staysInSync(testServer, ["cy"], () =>
    testServer.request("cy", POST, { ...inbox, name: "" }),
  );
  expect(await viewsOf("cy")).toEqual([{ ...inbox, name: null }]);
  const line = "PATCH /navigation_views/inbox";
  await expectRefused(realmErrors.builtInViewNamed(), "cy", line, { name: "Mine" });
  const custom = { fragment: "narrow/x", is_pinned: false };
  await expectRefused(realmErrors.viewNameInvalid(), "cy", POST, custom);
  await expectRefused(realmErrors.viewNameInvalid(), "cy", POST, { ...custom, name: " " });
  const blank = { ...custom, fragment: " ", name: "x" };
  expect((await testServer.refused("cy", POST, blank)).msg).toBe("fragment cannot be blank");
});

test("allows at most two hundred views", async () => {
  const view = { is_pinned: false, name: "x" };
  for (let n = 0; n < 200; n++) {
    await testServer.request("ada", POST, { ...view, fragment: `narrow/topic/${n}` });
  }
  await expectRefused(channelErrors.tooMany("views", 200), "ada", POST, {
    ...view,
    fragment: "more",
  });
});

test("does not show a completed onboarding step again", async () => {
  const line = "POST /users/me/onboarding_steps";
  const names = async (name: Name) =>
    (
      await testServer.request(name, "POST /register", { fetch_event_types: ["onboarding_steps"] })
    ).onboarding_steps
      .map((step: { name: string }) => step.name)
      .sort();
  const shown = Object.keys(ONBOARDING_STEPS).filter((step) => step !== "navigation_tour_video");
  expect(await names("bo")).toEqual(shown.sort());
  const { events } = await staysInSync(testServer, ["bo", "cy"], () =>
    testServer.request("bo", line, { onboarding_step: "intro_resolve_topic" }),
  );
  expect(events.bo!.map(({ type }) => type)).toEqual(["onboarding_steps"]);
  expect(events.cy).toEqual([]);
  for (const step of ["intro_resolve_topic", "navigation_tour_video"]) {
    const quiet = await staysInSync(testServer, ["bo"], () =>
      testServer.request("bo", line, { onboarding_step: step }),
    );
    expect(quiet.events.bo).toEqual([]);
  }
  expect(await names("bo")).not.toContain("intro_resolve_topic");
  expect(await names("cy")).toEqual(shown);
  const unknown = { onboarding_step: "toString" };
  await expectRefused(realmErrors.onboardingStepUnknown("toString"), "bo", line, unknown);
  await expectRefused(errors.botsNotAllowed(), "bot", line, unknown);
});
