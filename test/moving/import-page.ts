/** Uploads, plans and runs imports as the page for imports does. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import type { Name } from "../users.ts";
import type { Json, TestServer } from "../test-server.ts";

export const IMPORT = "/administration/import/";

export async function setPasswords(testServer: TestServer): Promise<void> {
  const hash = await hashPassword(PASSWORD);
  await testServer.realm.write((tx) => {
    for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
  });
}

export async function signedIn(testServer: TestServer, name: Name): Promise<Browser> {
  const browser = new Browser(testServer);
  await browser.signIn(name);
  await browser.open("/");
  return browser;
}

export class ImportPage {
  private constructor(
    private readonly testServer: TestServer,
    readonly browser: Browser,
  ) {}

  static async open(testServer: TestServer, name: Name = "olga"): Promise<ImportPage> {
    return new ImportPage(testServer, await signedIn(testServer, name));
  }

  state(): Promise<Json> {
    return this.browser.request(`GET ${IMPORT}`);
  }

  begin(size: number, name = "slack export.zip"): Promise<Json> {
    return this.browser.request(`POST ${IMPORT}upload/`, { name, size });
  }

  /** Sends a piece as the page does. */
  async add(offset: number, piece: Uint8Array): Promise<Json> {
    const { cookies, csrf } = this.browser;
    const all = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const url = `${this.testServer.url}/json${IMPORT}upload/?offset=${offset}`;
    const response = await fetch(url, {
      method: "PATCH",
      headers: { "X-CSRFToken": csrf, Cookie: all },
      body: new Uint8Array(piece),
    });
    return { status: response.status, ...((await response.json()) as object) };
  }

  async upload(bytes: Uint8Array, name?: string): Promise<void> {
    await this.begin(bytes.length, name);
    const { received } = await this.add(0, bytes);
    if (received !== bytes.length) throw new Error(`the server received ${String(received)} bytes`);
  }

  /** Waits until the server has nothing to do with the archive. */
  async untilFinished(): Promise<Json> {
    for (;;) {
      const state = await this.state();
      if (state.task === null) return state;
      await Bun.sleep(5);
    }
  }

  async planImport(bytes: Uint8Array, choices: Json = {}, name?: string): Promise<Json> {
    await this.upload(bytes, name);
    await this.browser.request(`POST ${IMPORT}plan/`, choices);
    return this.untilFinished();
  }

  async archive(): Promise<string> {
    const { upload } = await this.state();
    return (upload as { archive: string }).archive;
  }

  async map(source: string, email: string, role = ""): Promise<void> {
    const archive = await this.archive();
    await this.browser.request(`PATCH ${IMPORT}users/`, { archive, source, email, role });
  }

  async run(): Promise<void> {
    const archive = await this.archive();
    await this.browser.request(`POST ${IMPORT}run/`, { archive, password: PASSWORD });
  }

  /** The folders of uploaded archives. */
  archives(): string[] {
    const directory = join(this.testServer.realm.config.data, "imports");
    if (!existsSync(directory)) return [];
    return readdirSync(directory).filter((item) => item !== "state.json");
  }
}
