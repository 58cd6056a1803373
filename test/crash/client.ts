// A client that repeats requests over lost connections, or reports that no response came.
import { formOf, type Json, type Params } from "../test-server.ts";
import type { Account } from "./server.ts";

export interface Answer {
  status: number;
  body: Json;
}

const RETRY_MS = 10;

export class Client {
  private readonly headers: Record<string, string>;

  constructor(
    private readonly url: string,
    readonly account: Account,
  ) {
    const { email, api_key } = account;
    const Authorization = `Basic ${btoa(`${email}:${api_key}`)}`;
    this.headers = { Authorization, "User-Agent": "CrashTest/1.0" };
  }

  /** undefined: the connection was lost before the response was complete. */
  async request(line: string, params: Params = {}): Promise<Answer | undefined> {
    const [method, path] = line.split(" ") as [string, string];
    const isGet = method === "GET";
    const form = formOf(params);
    const address = `${this.url}/api/v1${path}${isGet ? `?${form}` : ""}`;
    const request = { method, headers: this.headers, ...(!isGet && { body: form }) };
    let status: number;
    let text: string;
    try {
      const response = await fetch(address, request);
      status = response.status;
      text = await response.text();
    } catch {
      return undefined;
    }
    return { status, body: JSON.parse(text) as Json };
  }

  /** Repeats the request whenever the connection is lost. A rejection is an error. */
  async requestUntilSuccess(
    line: string,
    params: Params = {},
  ): Promise<{ body: Json; losses: number }> {
    for (let losses = 0; ; losses += 1) {
      const response = await this.request(line, params);
      if (response?.body.result === "success") return { body: response.body, losses };
      if (response)
        throw new Error(`${line} → ${response.status} ${JSON.stringify(response.body)}`);
      await Bun.sleep(RETRY_MS);
    }
  }
}
