// Email domains of the organization, and who may join with which address.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as errors from "../../src/contract/errors/general.ts";
import * as realmErrors from "../../src/contract/errors/realm.ts";
import { signUp } from "../../src/features/invitations/join.ts";
import type { Name } from "../users.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type Params, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

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

const add = (domain: string, allow_subdomains = false) =>
  testServer.request("olga", "POST /realm/domains", { domain, allow_subdomains });
const describeEvents = (events: Record<string, any>[] | undefined) =>
  (events ?? []).map(({ type, op }) => `${type} ${op}`);

test("lets owners add, change and remove domains, with events to everyone", async () => {
  const { events, result } = await staysInSync(testServer, ["bo", "gus"], async () => {
    const domainId = await add(" Example.COM ");
    await testServer.request("olga", "PATCH /realm/domains/example.com", {
      allow_subdomains: true,
    });
    await testServer.request("olga", "PATCH /realm/domains/example.com", {
      allow_subdomains: true,
    });
    return domainId;
  });
  expect(result.new_domain).toEqual([1, "example.com"]);
  expect(events.gus).toMatchObject([
    { type: "realm_domains", op: "add", realm_domain: { domain: "example.com" } },
    { type: "realm_domains", op: "change" },
  ]);
  const { domains } = await testServer.request("gus", "GET /realm/domains");
  expect(domains).toEqual([{ domain: "example.com", allow_subdomains: true }]);
  await testServer.request("olga", "PATCH /realm", { emails_restricted_to_domains: true });
  const removal = await staysInSync(testServer, ["bo", "gus"], () =>
    testServer.request("olga", "DELETE /realm/domains/Example.com"),
  );
  expect(describeEvents(removal.events.gus)).toEqual(["realm_domains remove", "realm update"]);
  expect(testServer.realm.read.settings.emails_restricted_to_domains).toBe(false);
});

test("rejects invalid domains", async () => {
  await add("taken.example");
  await expectRefused(realmErrors.domainTaken("taken.example"), "olga", "POST /realm/domains", {
    domain: "TAKEN.example",
    allow_subdomains: true,
  });
  for (const [domain, why] of [
    ["", "Domain can't be empty."],
    ["localhost", "Domain must have at least one dot (.)"],
    [".example", "Domain cannot start or end with a dot (.)"],
    ["a..example", "Consecutive '.' are not allowed."],
    ["-a.example", "Subdomains cannot start or end with a '-'."],
    ["a_b.example", "Domain can only have letters, numbers, '.' and '-'s."],
    [`${"a".repeat(250)}.example`, "Domain is too long."],
  ] as const) {
    const params = { domain, allow_subdomains: false };
    await expectRefused(realmErrors.domainInvalid(why), "olga", "POST /realm/domains", params);
  }
  const unknown = "/realm/domains/other.example";
  const refusal = realmErrors.domainNotFound("other.example");
  await expectRefused(refusal, "olga", `PATCH ${unknown}`, { allow_subdomains: true });
  await expectRefused(refusal, "olga", `DELETE ${unknown}`);
  for (const line of ["POST /realm/domains", `PATCH ${unknown}`, `DELETE ${unknown}`]) {
    await expectRefused(errors.mustBeOwner(), "ada", line, { domain: "x.example" });
  }
});

test("creates accounts only for allowed addresses", async () => {
  const join = (email: string) => ["POST /users", newMember(email)] as const;
  await expectRefused(realmErrors.emailDisposable(), "olga", ...join("x@mailinator.com"));
  await expectRefused(realmErrors.emailDisposable(), "olga", ...join("x@eu.mailinator.com"));
  await testServer.request("olga", "PATCH /realm", { disallow_disposable_email_addresses: false });
  await testServer.request("olga", ...join("x@mailinator.com"));
  await add("ours.example");
  await add("wide.example", true);
  await testServer.request("olga", "PATCH /realm", { emails_restricted_to_domains: true });
  for (const email of ["a@ours.example", "b@wide.example", "c@deep.sub.wide.example"]) {
    await testServer.request("olga", ...join(email));
  }
  for (const email of ["a@sub.ours.example", "b@notwide.example", "c@example"]) {
    await expectRefused(realmErrors.emailNotAllowed(email), "olga", ...join(email));
  }
  await expectRefused(realmErrors.emailWithPlus(), "olga", ...join("d+1@ours.example"));
});

test("requires an allowed address for sign-up too", async () => {
  const signUpWith = (email: string) =>
    testServer.realm.write((tx) => signUp(tx, { email, full_name: "Ned New", password_hash: "" }));
  await add("ours.example");
  const expected = { invite_required: false, emails_restricted_to_domains: true };
  await testServer.request("olga", "PATCH /realm", expected);
  await expect(signUpWith("ned@else.example")).rejects.toThrow(
    realmErrors.emailNotAllowed("ned@else.example").message,
  );
  expect(await signUpWith("ned@ours.example")).toMatchObject({ full_name: "Ned New" });
});

const newMember = (email: string) => ({
  email,
  full_name: "Nia New",
  password: "quite-long-secret",
});
