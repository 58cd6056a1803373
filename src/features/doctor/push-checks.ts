// Checks whether the push services of users' browsers and apps can be reached.
import { GuardedClient, OutboundForbidden } from "../../outbound/client.ts";
import type { PushSubscription } from "../../schema/records-people.ts";
import { ntfyTopicOf } from "../push/queue/rules.ts";
import { bad, type Check, type Finding, ok } from "./check.ts";
import type { Facts } from "./facts.ts";

export const pushChecks: readonly Check<Facts>[] = [
  { id: "outbound.push", is_own: true, run: services },
];

/** The push services that most users use. */
const SERVICES_MAX = 20;

async function services({ realm }: Facts): Promise<Finding> {
  const counts = new Map<string, number>();
  for (const row of realm.read.push_subscriptions.range()) {
    const url = healthUrlOf(row);
    if (url !== undefined) counts.set(url, (counts.get(url) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const busiest = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SERVICES_MAX);
  const client = new GuardedClient(realm.config.outbound_allow);
  const faults = await Promise.all(busiest.map(([url]) => faultAt(client, url)));
  const failed = busiest.flatMap(([url], nth) => {
    return faults[nth] === undefined ? [] : [`${new URL(url).host} (${faults[nth]})`];
  });
  if (failed.length === 0) return ok(`All ${busiest.length} push services can be reached.`);
  const hosts = failed.join(", ");
  const text = `Some of the ${busiest.length} push services cannot be reached: ${hosts}.`;
  const remedy = "check the firewall, the DNS, and --outbound-allow";
  return bad(failed.length === busiest.length ? "fail" : "warn", text, remedy);
}

/** URL of a request without effect, since users would see a test push. */
function healthUrlOf({ kind, endpoint }: PushSubscription): string | undefined {
  if (kind === "web") return URL.parse("/", endpoint)?.href;
  const server = ntfyTopicOf(endpoint)?.server;
  return server && `${server}v1/health`;
}

const ANSWER_BYTES_MAX = 4_096;
const SERVER_ERROR = 500;

/** Any response means that the service is reachable. */
async function faultAt(client: GuardedClient, url: string): Promise<string | undefined> {
  try {
    const params = {
      url,
      types: null,
      bytes_max: ANSWER_BYTES_MAX,
      truncates: true,
      is_secret: true,
    };
    const { status, body } = await client.send(params);
    if (status >= SERVER_ERROR) return `it responded with status ${status}`;
    const isUnhealthy = /"healthy"\s*:\s*false/.test(Buffer.from(body).toString());
    return isUnhealthy ? "it is not available" : undefined;
  } catch (error) {
    if (error instanceof OutboundForbidden) return "connections to its address are not allowed";
    return (error as Error).message;
  }
}
