// Errors name the field that they are about, so that clients show them beside it.
import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../test-server.ts";

const testServer = await startTestServer();
afterAll(() => testServer.close());

const user_groups = { name: "crew", description: "", members: [] };
const channel = { name: "garden", description: "", subscribers: [] };
const link = { name: "Site", hint: "", field_type: 7 };

const CASES: readonly (readonly [string, string, Record<string, unknown>, string | undefined])[] = [
  ["missing", "POST /user_groups/create", { name: "crew" }, "description"],
  ["malformed", "POST /user_groups/create", { ...user_groups, members: "x" }, "members"],
  ["an empty group name", "POST /user_groups/create", { ...user_groups, name: " " }, "name"],
  ["a reserved group name", "POST /user_groups/create", { ...user_groups, name: "role:x" }, "name"],
  ["an empty channel name", "POST /channels/create", { ...channel, name: "" }, "name"],
  ["an unknown folder", "POST /channels/create", { ...channel, folder_id: 99 }, "folder_id"],
  [
    "unknown subscribers",
    "POST /channels/create",
    { ...channel, subscribers: [999] },
    "subscribers",
  ],
  [
    "a long description",
    "POST /channels/create",
    { ...channel, description: "x".repeat(2000) },
    "description",
  ],
  [
    "a wrong old password",
    "PATCH /settings",
    { old_password: "no", new_password: "y" },
    "old_password",
  ],
  [
    "an empty profile label",
    "POST /realm/profile_fields",
    { ...link, field_type: 1, name: " " },
    "name",
  ],
  [
    "field data",
    "POST /realm/profile_fields",
    { ...link, field_data: { subtype: "x" } },
    "field_data",
  ],
  [
    "a linkifier",
    "POST /realm/filters",
    { pattern: "(", url_template: "https://x.org" },
    undefined,
  ],
  ["an unknown channel", "GET /get_stream_id", { stream: "nowhere" }, undefined],
];

for (const [title, line, requested, field] of CASES) {
  test(`${line}, ${title}: names ${field ?? "no field"}`, async () => {
    const response = await testServer.send("olga", line, requested);
    const answer = (await response.json()) as { result: string; field?: string };
    expect(answer.result).toBe("error");
    expect(answer.field).toBe(field);
  });
}
