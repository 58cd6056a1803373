// Time from starting a server to its first response to a signed-in user.
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { type Server, startBareServer, startSkein } from "../processes.ts";
import { measureAlternately, ratioOf } from "../ratio.ts";
import { type Account, getRequest, postRequest } from "../requests.ts";
import { lineAtMost, type Line } from "../row.ts";
import { PASSWORD, type Datasets } from "../datasets.ts";
import { Wire } from "../wire.ts";
import { MILLION, storedServer } from "./stored.ts";

const ROUNDS = 15;

/** The test server with a million messages also has 1,000 users and 13,000 subscriptions. */
export async function start(datasets: Datasets): Promise<Line[]> {
  const empty = await datasets.createShared({ people: 0 });
  const fullServer = await storedServer(datasets, MILLION);
  const hash = await hashPassword(PASSWORD);
  const bareServer = () => startBareServer("sign-in", datasets.createEmptyFolder(), hash);
  const skein = () => startSkein(empty.directory);
  const signIn = (account: Account) =>
    postRequest(account, "/fetch_api_key", { username: account.email, password: PASSWORD });
  const withKey = (account: Account) => getRequest(account, "/users/me");

  const unit = "ms";
  const lines: Line[] = [];
  for (const [name, request, target] of [
    ["sign-in by password", signIn, 2],
    ["answer to a key", withKey, 2],
  ] as const) {
    const firstRequest = request(empty.owner);
    const first = await measureAlternately(
      ROUNDS,
      () => timeUntilResponse(skein, firstRequest),
      () => timeUntilResponse(bareServer, firstRequest),
    );
    const label = `spawn to first ${name}, empty`;
    lines.push(
      lineAtMost(
        { label, goal: target, unit },
        ratioOf(first, (ms) => ms),
      ),
    );
  }
  for (const [name, other] of [
    ["none, the same people", await storedServer(datasets, 0)],
    ["an empty organization", empty],
  ] as const) {
    const growth = await measureAlternately(
      ROUNDS,
      () => timeUntilResponse(() => startSkein(fullServer.directory), signIn(fullServer.owner)),
      () => timeUntilResponse(() => startSkein(other.directory), signIn(other.owner)),
    );
    const label = `spawn to first sign-in by password, 1,000,000 messages over ${name}`;
    lines.push(
      lineAtMost(
        { label, goal: 1.2, unit },
        ratioOf(growth, (ms) => ms),
      ),
    );
  }
  return lines;
}

async function timeUntilResponse(spawn: () => Promise<Server>, request: string): Promise<number> {
  const startedAt = performance.now();
  await using server = await spawn();
  const wire = await Wire.open(server.port);
  await wire.request(request);
  const duration = performance.now() - startedAt;
  wire.close();
  return duration;
}
