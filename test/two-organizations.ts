// Two test servers in one process, one per organization, each at its own host.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../src/contract/config.ts";
import { run, type Running } from "../src/running.ts";
import { TestServer, TestClock } from "./test-server.ts";
import { count } from "./resource-usage.ts";

export const EAST = "east.example.com";
export const WEST = "west.example.com";
export const ROOT = "example.com";

export class TwoOrganizations {
  constructor(
    private readonly directory: string,
    private running: Running,
    private readonly start: () => Promise<Running>,
    readonly east: TestServer,
    readonly west: TestServer,
  ) {}

  get url(): string {
    return this.running.url;
  }

  /** Directories of organizations that were deleted before the server started. */
  get erasedOrganizations(): readonly string[] {
    return this.running.erased;
  }

  /** Sends a request to a host; `forwarded`: through a proxy that renames the host. */
  async request(host: string, path: string, headers: Record<string, string> = {}) {
    const response = await fetch(this.url + path, { headers: { Host: host, ...headers } });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  }

  async restart(): Promise<void> {
    await this.running.stop();
    this.running = await this.start();
    for (const testServer of [this.east, this.west]) testServer.resume(this.running);
  }

  async close(): Promise<void> {
    await this.running.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

export async function startTwoOrganizations(
  options: Partial<Config> = {},
): Promise<TwoOrganizations> {
  const directory = mkdtempSync(join(tmpdir(), "skein-organizations-"));
  const config: Config = {
    data: join(directory, "east"),
    host: "127.0.0.1",
    port: 0,
    url: `http://${EAST}`,
    rate_limits: false,
    web_public_streams: true,
    external_content: true,
    archive_days: 30,
    max_upload_mib: 100,
    upload_quota_mib: 0,
    outbound_allow: [],
    log: "off",
    ...options,
  };
  const clock = new TestClock();
  const organizations = [{ url: `http://${WEST}`, data: join(directory, "west") }];
  const start = () => {
    count("servers");
    return run(config, clock, { organizations, root_host: ROOT });
  };
  const running = await start();
  const [east, west] = [EAST, WEST].map(
    (host, index) => new TestServer(directory, running, clock, config, { at: index, host }),
  ) as [TestServer, TestServer];
  await east.populate();
  await west.populate();
  return new TwoOrganizations(directory, running, start, east, west);
}
