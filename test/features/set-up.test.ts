// The set-up page: a one-time link, a form that works without scripts, and the owner's first key.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "parse5";
import { emailNotAnAddress, passwordTooWeak } from "../../src/contract/errors/people.ts";
import { openSetUp } from "../../src/features/organization/set-up.ts";
import { run, type Running } from "../../src/running.ts";
import { TestClock } from "../test-server.ts";

const GOOD = {
  name: "Ours & theirs",
  full_name: "Olga <i>",
  email: "Olga@Example.com",
  password: "a long secret",
};

let folder: string;
let clock: TestClock;
let running: Running;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-set-up-"));
  clock = new TestClock();
  running = await start();
});

afterEach(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("signs in after a set-up without the form, and returns a key once", async () => {
  const token = await newToken();
  const done = await request(`POST //setup/${token}`, { ...GOOD, full_name: "Olga" });
  expect(done.status).toBe(200);
  const page = await done.text();
  expect(page).toContain("Ours &amp; theirs is ready");
  expect(page).toContain(running.url);

  const signIn = { username: "olga@example.com", password: GOOD.password };
  const signedIn = await request("POST //api/v1/fetch_api_key", signIn);
  expect(await signedIn.json()).toMatchObject({ result: "success", email: GOOD.email });

  const keyToken = /href="\/setup\/key\/([^"]+)"/.exec(page)![1]!;
  expect((await request(`HEAD //setup/key/${keyToken}`)).status).toBe(200);
  const shownPage = await (await request(`GET //setup/key/${keyToken}`)).text();
  const key = /^key=(\w{32})<\/pre>$/m.exec(shownPage)![1];
  const headers = { Authorization: `Basic ${btoa(`${GOOD.email}:${key}`)}` };
  const me = await fetch(`${running.url}/api/v1/users/me`, { headers });
  expect(await me.json()).toMatchObject({ full_name: "Olga", is_owner: true });

  const secondResponse = await request(`GET //setup/key/${keyToken}`);
  expect([secondResponse.status, await secondResponse.text()]).toEqual([
    410,
    expect.stringContaining("user key"),
  ]);
});

test("lets Enter send for the owner and for new members of a new organization", async () => {
  const token = await newToken();
  expect((await request(`POST //setup/${token}`, { ...GOOD, full_name: "Olga" })).status).toBe(200);
  const signIn = { username: "olga@example.com", password: GOOD.password };
  const signedIn = await request("POST //api/v1/fetch_api_key", signIn);
  const { api_key } = (await signedIn.json()) as { api_key: string };
  const registered = await fetch(`${running.url}/api/v1/register`, {
    method: "POST",
    headers: { Authorization: `Basic ${btoa(`${GOOD.email}:${api_key}`)}` },
    body: new URLSearchParams({
      fetch_event_types: JSON.stringify(["user_settings", "realm_user_settings_defaults"]),
      client_capabilities: JSON.stringify({ user_settings_object: true }),
    }),
  });
  expect(await registered.json()).toMatchObject({
    user_settings: { enter_sends: true },
    realm_user_settings_defaults: { enter_sends: true },
  });
});

test("restricts some permissions at first in education organizations", async () => {
  const token = await newToken();
  const school = { ...GOOD, type: "education" };
  const circus = { ...GOOD, full_name: "Olga", type: "circus" };
  const wrong = await request(`POST //setup/${token}`, circus);
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining("org_type")]);
  const weak = await request(`POST //setup/${token}`, { ...school, password: "x" });
  expect(await weak.text()).toContain('<option value="education" selected>');
  expect((await request(`POST //setup/${token}`, { ...school, full_name: "Olga" })).status).toBe(
    200,
  );

  const { read } = running.realm;
  const groupName = (id: unknown) => read.groups.get(id as number)!.name;
  const { settings } = read;
  expect(settings.org_type).toBe(35);
  expect(groupName(settings.can_add_subscribers_group)).toBe("role:moderators");
  expect(groupName(settings.can_create_groups)).toBe("role:moderators");
  expect(groupName(settings.can_move_messages_between_channels_group)).toBe("role:moderators");
  expect(groupName(settings.can_create_public_channel_group)).toBe("role:administrators");
  expect(groupName(settings.can_invite_users_group)).toBe("role:administrators");
  expect(groupName(settings.can_create_private_channel_group)).toBe("role:members");
  const owner = read.users.findBy("email", GOOD.email.toLowerCase())!;
  expect(owner.settings["email_address_visibility"]).toBe(3);
});

test("expires the link at set-up, and after 30 minutes", async () => {
  clock.stop();
  const token = await newToken();
  clock.passSeconds(1799);
  expect((await request(`GET //setup/${token}`)).status).toBe(200);
  clock.passSeconds(2);
  const late = await request(`GET //setup/${token}`);
  expect([late.status, await late.text()]).toEqual([410, expect.stringContaining("expired")]);
  expect((await request(`POST //setup/${token}`, GOOD)).status).toBe(410);

  const fresh = await newToken();
  expect((await request(`POST //setup/${fresh}`, { ...GOOD, full_name: "Olga" })).status).toBe(200);
  for (const response of [
    await request(`GET //setup/${fresh}`),
    await request(`POST //setup/${fresh}`, GOOD),
  ]) {
    expect(response.status).toBe(410);
    expect(await response.text()).toContain("Already set up");
  }
});

test("invalidates the previous link with a new one", async () => {
  const first = await newToken();
  const second = await newToken();
  expect((await request(`GET //setup/${first}`)).status).toBe(410);
  expect((await request(`GET //setup/${second}`)).status).toBe(200);
  expect((await request("GET //setup/invented")).status).toBe(410);
});

test("keeps a link after a restart of the server", async () => {
  const token = await newToken();
  await running.stop();
  running = await start();
  expect((await request(`GET //setup/${token}`)).status).toBe(200);
});

test("lets one of two simultaneous set-ups succeed", async () => {
  const token = await newToken();
  const entered = { ...GOOD, full_name: "Olga" };
  const responses = await Promise.all([
    request(`POST //setup/${token}`, entered),
    request(`POST //setup/${token}`, entered),
  ]);
  expect(responses.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([
    200, 410,
  ]);
});

test("reports invalid input, and keeps the entered values in the form", async () => {
  const token = await newToken();
  const wrong: [Partial<typeof GOOD>, string][] = [
    [{}, "Invalid characters in name!"],
    [{ full_name: "Olga", name: " " }, "1 to 40 characters"],
    [{ full_name: "Olga", email: "olga" }, emailNotAnAddress().message],
    [{ full_name: "Olga", password: "short" }, passwordTooWeak().message],
    [{ full_name: "Olga", password: "qwertyuiop" }, passwordTooWeak().message],
    [{ full_name: "Olga Vinter", password: "olgavinter" }, passwordTooWeak().message],
  ];
  for (const [changed, text] of wrong) {
    const response = await request(`POST //setup/${token}`, { ...GOOD, ...changed });
    const page = await response.text();
    expect([response.status, text, page.includes(text)]).toEqual([400, text, true]);
    expect(page).not.toContain("a long secret");
  }
  const page = await (await request(`POST //setup/${token}`, GOOD)).text();
  expect(page).toContain('value="Olga &lt;i&gt;"');
  expect((await request(`POST //setup/${token}`, {})).status).toBe(400);
  expect(running.realm.read.realm.has(1)).toBe(false);
});

test("has valid HTML with labeled fields, and loads nothing else", async () => {
  const response = await request(`GET //setup/${await newToken()}`);
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(response.headers.get("referrer-policy")).toBe("same-origin");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const page = await response.text();
  expect(policy).toContain("style-src 'self'; ");
  expect(page).not.toMatch(/<style|<script|style=/);

  const faults: string[] = [];
  parse(page, { onParseError: ({ code }) => faults.push(code) });
  expect(faults).toEqual([]);
  for (const name of ["name", "full_name", "email", "password"]) {
    expect(page).toContain(`<label for="${name}">`);
    expect(page).toMatch(new RegExp(`<input id="${name}" name="${name}"`));
  }
});

function start(): Promise<Running> {
  const data = join(folder, "data");
  const where = { data, host: "127.0.0.1", port: 0, url: "" };
  const uploads = { max_upload_mib: 100, upload_quota_mib: 0 };
  const access = { rate_limits: false, web_public_streams: false, external_content: true };
  const limits = { ...access, outbound_allow: [], archive_days: 30, ...uploads };
  return run({ ...where, ...limits, log: "off" }, clock);
}

/** The secret of the link that a start prints. */
async function newToken(): Promise<string> {
  const link = await running.realm.write(openSetUp);
  expect(link).toStartWith(`${running.url}/setup/`);
  return link.slice(link.lastIndexOf("/") + 1);
}

function request(line: string, fields?: Record<string, string>): Promise<Response> {
  const [method, path] = line.split(" //") as [string, string];
  const body = fields && new URLSearchParams(fields);
  return fetch(`${running.url}/${path}`, { method, body });
}

test("uses German for users, channels and first topics in a German browser", async () => {
  const headers = { "Accept-Language": "de", "Content-Type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ ...GOOD, full_name: "Olga" });
  const url = `${running.url}/setup/${await newToken()}`;
  const done = await fetch(url, { method: "POST", headers, body });
  expect(await done.text()).toContain("Deine Organisation ist eingerichtet");
  const { read } = running.realms[0]!;
  expect(read.settings.default_language).toBe("de");
  const owner = read.users.findBy("email", "olga@example.com")!;
  expect(owner.settings).toMatchObject({ default_language: "de", twenty_four_hour_time: true });
  expect(read.setting_defaults.get("twenty_four_hour_time")?.value).toBe(true);
  const channel = read.channels.findBy("name", "skein")!;
  expect(channel.description).toBe("Fragen und Antworten zu Skein.");
  const topics = [...read.topics.range()].map(({ name }) => name);
  expect(topics.toSorted()).toEqual(
    ["ein Thema beginnen", "Tastenkürzel", "Was sind Themen?"].toSorted(),
  );
});
