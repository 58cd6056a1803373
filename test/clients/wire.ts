// A client as the server sees it: its credentials, name and exact spelling of parameters.
import type { Json } from "../test-server.ts";

export class WireClient {
  constructor(
    private readonly site: string,
    private readonly agent: string,
    private readonly authorization?: string,
  ) {}

  signedIn(user: string, key: string): WireClient {
    return new WireClient(this.site, this.agent, `Basic ${btoa(`${user}:${key}`)}`);
  }

  /** A line is a method and path on the server; parameters are sent unchanged. */
  async send(line: string, params: Record<string, string> = {}): Promise<Response> {
    const [method, path] = line.split(" ") as [string, string];
    const headers: Record<string, string> = { "User-Agent": this.agent };
    if (this.authorization !== undefined) headers["Authorization"] = this.authorization;
    const form = new URLSearchParams(params);
    if (method === "GET") return fetch(`${this.site}${path}?${form}`, { headers });
    return fetch(`${this.site}${path}`, { method, headers, body: form });
  }

  async ask(line: string, params: Record<string, string> = {}): Promise<Json> {
    const response = await this.send(line, params);
    const body = (await response.json()) as Json;
    if (response.status === 200 && body.result === "success" && body.msg === "") return body;
    throw new Error(`${line} → ${response.status} ${JSON.stringify(body)}`);
  }

  async refused(line: string, params: Record<string, string> = {}): Promise<Json> {
    const response = await this.send(line, params);
    const body = (await response.json()) as Json;
    if (response.ok) throw new Error(`${line} was not refused: ${JSON.stringify(body)}`);
    return { status: response.status, ...body };
  }
}
