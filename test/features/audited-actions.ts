// Actions that the audit log must record, each done through the HTTP API.
import { join } from "node:path";
import { adminCommands } from "../../src/commands/admin/admin-commands.ts";
import { listActs, type AuditEntry } from "../../src/features/audit/list.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { renewRecoveryCodes } from "../../src/features/two-factor/recovery.ts";
import { actAs } from "../../src/server/actor.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { emailOf } from "../users.ts";
import { type Json, startTestServer, type Params, type TestServer } from "../test-server.ts";

export class AuditedServer {
  count = 0;

  private constructor(readonly testServer: TestServer) {}

  static async open(): Promise<AuditedServer> {
    const testServer = await startTestServer();
    const hash = await hashPassword(PASSWORD);
    await testServer.realm.write((tx) => {
      for (const name of ["olga", "bo", "cy"] as const) {
        tx.passwords.put({ user_id: testServer.idOf(name), hash });
      }
    });
    return new AuditedServer(testServer);
  }

  /** Returns the audit entries written during some work, oldest first. */
  async actsBy(work: () => Promise<unknown>): Promise<AuditEntry[]> {
    const { read } = this.testServer.realm;
    const [last] = listActs(read, { num: 1 }).acts;
    await work();
    const { acts } = listActs(read, { num: 200 });
    return acts.filter(({ id }) => id > (last?.id ?? 0)).toReversed();
  }

  command(name: keyof typeof adminCommands, input: object): Promise<unknown> {
    const actor = { via: "command", where: { operator: "root", command: name } } as const;
    const run = adminCommands[name] as (...input: unknown[]) => Promise<unknown>;
    return actAs(actor, () => run(this.testServer.realm, input, true));
  }

  olga(line: string, params: Params = {}): Promise<Json> {
    return this.testServer.request("olga", line, params);
  }

  uniqueName(label: string): string {
    return `${label} ${++this.count}`;
  }

  async signedIn(name: "bo" | "cy"): Promise<Browser> {
    const browser = new Browser(this.testServer);
    await browser.signIn(name);
    return browser;
  }

  async createMember(): Promise<number> {
    const email = `member${++this.count}@example.com`;
    const params = { email, password: PASSWORD, full_name: this.uniqueName("Member") };
    return (await this.olga("POST /users", params)).user_id;
  }

  async createGroup(): Promise<number> {
    const params = {
      name: this.uniqueName("group"),
      description: "",
      members: [this.testServer.idOf("olga")],
    };
    return (await this.olga("POST /user_groups/create", params)).group_id;
  }

  async createChannel(): Promise<number> {
    const name = this.uniqueName("channel");
    return (await this.olga("POST /channels/create", { name, subscribers: [] })).id;
  }

  get bo() {
    return { new: { direct_members: [this.testServer.idOf("bo")], direct_subgroups: [] } };
  }
}

type PrepareAction = (server: AuditedServer) => Promise<() => Promise<unknown>>;
type Row = [what: string, acts: string[], ready: PrepareAction];

const row = (label: string, kinds: string[], ready: PrepareAction): Row => [label, kinds, ready];
/** A row for an action without preparation. */
const requestRow = (
  label: string,
  kinds: string[],
  action: (server: AuditedServer) => Promise<unknown>,
): Row => {
  return [label, kinds, async (server) => () => action(server)];
};
const userChangeRow = (
  label: string,
  kind: string,
  line: string,
  params: (server: AuditedServer) => Params,
) =>
  row(label, [kind], async (server) => {
    const id = await server.createMember();
    return () => server.olga(line.replace("ID", String(id)), params(server));
  });
const groupChangeRow = (
  label: string,
  kind: string,
  line: string,
  params: (server: AuditedServer) => Params,
) =>
  row(label, [kind], async (server) => {
    const id = await server.createGroup();
    return () => server.olga(line.replace("ID", String(id)), params(server));
  });
const channelChangeRow = (
  label: string,
  kind: string,
  line: string,
  params: (server: AuditedServer) => Params,
) =>
  row(label, [kind], async (server) => {
    const id = await server.createChannel();
    return () => server.olga(line.replace("ID", String(id)), params(server));
  });
const additionRow = (
  label: string,
  kind: string,
  line: string,
  params: (server: AuditedServer) => Params,
) => requestRow(label, [kind], (server) => server.olga(line, params(server)));
const commandRow = (
  ...[label, kind, name, input]: [string, string, keyof typeof adminCommands, object]
) => requestRow(label, [kind], (server) => server.command(name, input));

const noParams = () => ({});
const PATTERN = { url_template: "https://example.com/{id}" };

export const ROWS: readonly Row[] = [
  // Users and their permissions.
  requestRow("an account made", ["password_set", "user_created"], (server) =>
    server.createMember(),
  ),
  userChangeRow("a role", "user_role_changed", "PATCH /users/ID", () => ({ role: 200 })),
  userChangeRow("a name", "user_renamed", "PATCH /users/ID", (server) => ({
    full_name: server.uniqueName("New"),
  })),
  userChangeRow("an account's end", "user_deactivated", "DELETE /users/ID", noParams),
  row("an account's return", ["user_reactivated"], async (server) => {
    const id = await server.createMember();
    await server.olga(`DELETE /users/${id}`);
    return () => server.olga(`POST /users/${id}/reactivate`);
  }),
  requestRow("a bot made", ["bot_created", "key_made"], (server) => {
    const short_name = `b${++server.count}`;
    return server.olga("POST /bots", {
      full_name: server.uniqueName("Bot"),
      short_name,
      bot_type: 1,
    });
  }),
  additionRow("an invitation", "invited", "POST /invites/multiuse", () => ({
    invite_as: 400,
    stream_ids: [],
  })),
  commandRow("a right that the operator gives", "user_right_changed", "allow", {
    ...{ email: emailOf("mo"), right: "can_create_users", allowed: true },
  }),

  // Groups.
  requestRow("a group made", ["group_created", "group_members_added"], (server) =>
    server.createGroup(),
  ),
  groupChangeRow(
    "a group's member",
    "group_members_added",
    "POST /user_groups/ID/members",
    (server) => ({
      add: [server.testServer.idOf("bo")],
    }),
  ),
  groupChangeRow("a group's rights", "group_changed", "PATCH /user_groups/ID", (server) => ({
    can_mention_group: server.bo,
  })),
  groupChangeRow("a group's end", "group_deactivated", "POST /user_groups/ID/deactivate", noParams),

  // Channels.
  requestRow("a channel made", ["channel_created"], (server) => server.createChannel()),
  channelChangeRow("a channel's privacy", "channel_privacy_changed", "PATCH /streams/ID", () => ({
    is_private: true,
  })),
  channelChangeRow("a channel's name", "channel_changed", "PATCH /streams/ID", (server) => ({
    new_name: server.uniqueName("renamed"),
  })),
  channelChangeRow(
    "who may write in a channel",
    "channel_changed",
    "PATCH /streams/ID",
    (server) => ({
      can_send_message_group: server.bo,
    }),
  ),
  channelChangeRow("an archived channel", "channel_archived", "DELETE /streams/ID", noParams),
  row("who comes into a private channel", ["subscribers_added"], async (server) => {
    const name = server.uniqueName("private");
    const { testServer } = server;
    const subscribers = [testServer.idOf("olga")];
    await server.olga("POST /channels/create", { name, subscribers, invite_only: true });
    const params = {
      subscriptions: [{ name }],
      principals: [testServer.idOf("bo"), testServer.idOf("cy")],
    };
    return () => server.olga("POST /users/me/subscriptions", params);
  }),

  // The organization.
  additionRow("a setting", "organization_settings_changed", "PATCH /realm", () => ({
    name_changes_disabled: true,
  })),
  additionRow("who may invite", "organization_settings_changed", "PATCH /realm", (server) => ({
    can_invite_users_group: server.bo,
  })),
  additionRow("a domain", "domain_added", "POST /realm/domains", (server) => ({
    ...{ domain: `d${++server.count}.example`, allow_subdomains: false },
  })),
  additionRow("a linkifier", "linkifier_added", "POST /realm/filters", (server) => ({
    ...{ ...PATTERN, pattern: `#T${++server.count}-(?P<id>[0-9]+)` },
  })),
  additionRow("a profile field", "profile_field_added", "POST /realm/profile_fields", (server) => ({
    ...{ field_type: 1, name: server.uniqueName("field") },
  })),
  row("a default of settings", ["default_setting_changed"], async (server) => {
    const line = "PATCH /realm/user_settings_defaults";
    await server.olga(line, { high_contrast_mode: false });
    return () => server.olga(line, { high_contrast_mode: true });
  }),

  // Keys, sign-ins and backups.
  requestRow("a sign-in", ["signed_in"], (server) => server.signedIn("bo")),
  row("a sign-out", ["session_ended"], async (server) => {
    const bo = await server.signedIn("bo");
    await bo.open("/account/");
    return () => bo.submit("/accounts/logout/");
  }),
  requestRow("a new key", ["key_made", "key_removed"], ({ testServer }) =>
    testServer.request("mo", "POST /users/me/api_key/regenerate"),
  ),
  requestRow("a key by password", ["key_made"], ({ testServer }) =>
    testServer.request(null, "POST /fetch_api_key", {
      username: emailOf("cy"),
      password: PASSWORD,
    }),
  ),
  row("a user's own password", ["password_changed"], async (server) => {
    const cy = await server.signedIn("cy");
    const input = { old_password: PASSWORD, new_password: PASSWORD };
    return () => cy.request("POST /account/password/", input);
  }),
  requestRow("codes for who loses a phone", ["recovery_codes_made"], async ({ testServer }) => {
    const user_id = testServer.idOf("gus");
    await testServer.realm.write((tx) => {
      for (const { hash } of [...tx.recovery_codes.range()])
        tx.recovery_codes.delete(user_id, hash);
    });
    await testServer.realm.write((tx) => renewRecoveryCodes(tx, user_id));
  }),
  commandRow("a key by the operator", "key_made", "makeKey", { email: emailOf("cy") }),
  commandRow("a link to a password", "password_link_made", "makeResetLink", {
    email: emailOf("ada"),
  }),
  commandRow("a password by the operator", "password_set", "setPassword", {
    ...{ email: emailOf("ada"), password: "an uncommon sentence 77" },
  }),
  requestRow("an export", ["export_requested"], (server) =>
    server.testServer.request("ada", "POST /export/realm"),
  ),
  requestRow("a backup", ["backup_made"], (server) => {
    const to = { directory: join(server.testServer.directory, "sets") };
    return server.command("backUp", { to, recipients: [] });
  }),
];
