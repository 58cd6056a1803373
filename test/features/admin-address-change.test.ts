// Administrators change a user's email address, if the operator allows it.
import { afterEach, beforeEach, expect, test } from "bun:test";
import * as channelErrors from "../../src/contract/errors/channels.ts";
import * as errors from "../../src/contract/errors/general.ts";
import * as peopleErrors from "../../src/contract/errors/people.ts";
import * as refusals from "../../src/contract/errors/people.ts";
import type { Name } from "../users.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import { staysInSync } from "../sync.ts";
import type { TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  await testServer.realm.write((tx) => {
    tx.users.put({ ...tx.users.get(testServer.idOf("ada"))!, can_change_user_emails: true });
  });
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const lineOf = (name: Name) => `PATCH /users/${testServer.idOf(name)}`;
const addressOf = (name: Name) =>
  testServer.realm.read.users.get(testServer.idOf(name))!.delivery_email;

async function expectRefused(
  { message, errCode }: errors.Refusal,
  name: Name,
  email: string,
  requester: Name,
) {
  const previousAddress = addressOf(name);
  const { msg, code } = await testServer.refused(requester, lineOf(name), { new_email: email });
  expect([msg, code, addressOf(name)]).toEqual([message, errCode!, previousAddress]);
}

test("changes the address at once, and notifies the former one", async () => {
  const change = { new_email: " cyra@example.com " };
  const { events } = await staysInSync(testServer, ["bo", "ada", "gus"], () =>
    testServer.request("ada", lineOf("cy"), change),
  );
  const person = { user_id: testServer.idOf("cy") };
  expect(events.bo).toMatchObject([
    { type: "realm_user", person: { ...person, delivery_email: "cyra@example.com" } },
    { type: "realm_user", person: { ...person, new_email: "cyra@example.com" } },
  ]);
  await deliverDueMail(testServer);
  expect(mailServer.mailTo("cy@example.com")).toHaveLength(1);
  await testServer.request("ada", "PATCH /users/cyra@example.com", { new_email: "cy@example.com" });
  expect(addressOf("cy")).toBe("cy@example.com");
});

test("invalidates links sent to the former address", async () => {
  await testServer.send(null, "POST //accounts/password/reset/", { email: "bo@example.com" });
  await deliverDueMail(testServer);
  const concernsBo = ({ payload }: { payload: unknown }) =>
    (payload as { user_id?: number }).user_id === testServer.idOf("bo");
  expect([...testServer.realm.read.tickets.range()].some(concernsBo)).toBe(true);
  await testServer.request("ada", lineOf("bo"), { new_email: "bodo@example.com" });
  expect([...testServer.realm.read.tickets.range()].some(concernsBo)).toBe(false);
});

test("requires permission and an allowed address", async () => {
  const notAuthorized = refusals.notAuthorizedToChangeEmails();
  await expectRefused(notAuthorized, "cy", "x@example.com", "olga");
  await expectRefused(channelErrors.insufficientPermission(), "cy", "x@example.com", "mo");
  await expectRefused(peopleErrors.ownerRequired(), "olga", "x@example.com", "ada");
  await expectRefused(channelErrors.insufficientPermission(), "bot", "x@example.com", "ada");
  await expectRefused(refusals.newEmailInvalid(), "cy", "x", "ada");
  const addressTaken = refusals.newEmailRefused(peopleErrors.emailTaken().message);
  await expectRefused(addressTaken, "cy", "GUS@example.com", "ada");
  await testServer.request("olga", lineOf("cy"), {
    new_email: "cy@example.com",
    full_name: "Cy Same",
  });
});
