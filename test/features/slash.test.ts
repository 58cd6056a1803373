// Slash commands and their effects.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { slashCommandUnknown, slashMissing } from "../../src/contract/errors/people.ts";
import { staysInSync } from "../sync.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const type = (command: string) => testServer.request("bo", "POST /zcommand", { command });

test("sets the dark theme for the caller", async () => {
  const { result, events } = await staysInSync(testServer, ["bo", "cy"], () => type("/dark"));
  expect(result.msg).toBe("Switched to the dark theme.");
  expect(events.bo![0]).toMatchObject({ property: "color_scheme", value: 2 });
  expect(events.cy).toEqual([]);
  expect((await type("/night")).msg).toBe(result.msg);
});

test("sets the other settings", async () => {
  const changedProperty = async (command: string) => {
    const { events } = await staysInSync(testServer, ["bo"], () => type(command));
    const [payload] = events.bo!;
    return [payload!["property"], payload!["value"]];
  };
  expect(await changedProperty("/light")).toEqual(["color_scheme", 3]);
  expect(await changedProperty("/fluid-width")).toEqual(["fluid_layout_width", true]);
  expect(await changedProperty("/fixed-width")).toEqual(["fluid_layout_width", false]);
});

test("changes nothing at a ping", async () => {
  const { result, events } = await staysInSync(testServer, ["bo"], () => type("/ping"));
  expect([result.msg, events.bo]).toEqual(["", []]);
});

test.each(["dark", "constructor", ""])("rejects %j without a slash", async (command) => {
  const { errCode: code, message: msg } = slashMissing();
  const refusal = await testServer.refused("bo", "POST /zcommand", { command });
  expect(refusal).toMatchObject({ status: 400, code, msg });
});

test.each(["/dance", "/constructor", "/"])("rejects %j as unknown", async (command) => {
  const { errCode: code, message: msg } = slashCommandUnknown(command);
  const refusal = await testServer.refused("bo", "POST /zcommand", { command });
  expect(refusal).toMatchObject({ status: 400, code, msg });
});
