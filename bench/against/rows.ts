// Measures sends, deliveries, registers and starts of two builds alternately.
import { Load, type Server } from "../processes.ts";
import { park, registered } from "../queues.ts";
import { inTurn } from "../ratio.ts";
import { getting, posting, sending } from "../requests.ts";
import { GENERAL, type TestServer } from "../towns.ts";
import { Wire } from "../wire.ts";
import { requests } from "./requests.ts";
import { line, type Measured, MICROSECONDS, open, type Side } from "./side.ts";

type Row = (ours: Side, theirs: Side) => Promise<Measured[]>;

const TOPICS = 8;
/** Sends after which the hot code is compiled. */
const WARM_SENDS = 12_000;
const COLD_SENDS = 2_000;
const COLD_TURNS = 5;
const START_TURNS = 7;
const SEND_TURNS = 15;
const POLLS = 100;
const ROUNDS = 30;
const FANOUT_TURNS = 8;
const REGISTERS = 12;
const REGISTER_TURNS = 15;
const REGISTER_WARM_UP = 8;
const SENDERS = 16;
const KILOBYTE = 1_024;

/** Measured by default. */
export const mainRows: readonly string[] = ["start", "cold", "send", "delivery", "register"];
export const rows: Readonly<Record<string, Row>> = {
  start,
  cold,
  send,
  delivery,
  register,
  requests,
};

async function start(ours: Side, theirs: Side): Promise<Measured[]> {
  const turn = (side: Side) => async () => {
    const startedAt = performance.now();
    await using server = await open(side);
    const wire = await Wire.open(server.port);
    await wire.ask(getting(side.at.owner, "/users/me"));
    const results = { ms: performance.now() - startedAt, cpu_ms: server.cpu_ms };
    wire.close();
    return results;
  };
  const gave = await inTurn(START_TURNS, turn(ours), turn(theirs));
  return [
    line("start to the first answer, CPU", "ms", gave, ({ cpu_ms }) => cpu_ms),
    line("start to the first answer", "ms", gave, ({ ms }) => ms),
  ];
}

/** The first sends after a start, counted from the first response. */
async function cold(ours: Side, theirs: Side): Promise<Measured[]> {
  const turn = (side: Side) => async () => {
    await using server = await open(side);
    using load = new Load();
    const { port } = server;
    await load.ask("ask", { port, requests: [getting(side.at.owner, "/users/me")] });
    return await sent(load, server, side.at, SENDERS, COLD_SENDS);
  };
  const results = await inTurn(COLD_TURNS, turn(ours), turn(theirs));
  return [
    line("a send, 16 senders, the first 2,000, CPU", "µs", results, ({ cpu_us }) => cpu_us),
    line("sends a second, 16 senders, the first 2,000", "/s", results, (item) => item.per_second),
  ];
}

async function send(ours: Side, theirs: Side): Promise<Measured[]> {
  await using our = await open(ours);
  await using their = await open(theirs);
  using load = new Load();
  const turn =
    (server: Server, { at }: Side, senders: number, count: number) =>
    () =>
      sent(load, server, at, senders, count);
  for (let warm = 0; warm < WARM_SENDS; warm += COLD_SENDS) {
    await turn(our, ours, SENDERS, COLD_SENDS)();
    await turn(their, theirs, SENDERS, COLD_SENDS)();
  }
  const measured: Measured[] = [];
  for (const [senders, count, name] of [
    [1, 150, "one sender"],
    [SENDERS, 600, "16 senders"],
    [4 * SENDERS, 1_500, "64 senders"],
  ] as const) {
    const [here, there] = [turn(our, ours, senders, count), turn(their, theirs, senders, count)];
    const results = await inTurn(SEND_TURNS, here, there);
    measured.push(
      line(`a send, ${name}, CPU`, "µs", results, ({ cpu_us }) => cpu_us),
      line(`sends a second, ${name}`, "/s", results, ({ per_second }) => per_second),
      line(`a send, ${name}, p50`, "ms", results, ({ p50_ms }) => p50_ms),
      line(`a send, ${name}, p99`, "ms", results, ({ p99_ms }) => p99_ms),
      line(`bytes written a send, ${name}`, "KB", results, ({ written_kb }) => written_kb),
    );
  }
  return measured;
}

async function sent(load: Load, server: Server, at: TestServer, senders: number, count: number) {
  const requests = at.people.slice(0, senders).map((person, number) => {
    return sending(person, GENERAL, `topic ${number % TOPICS}`);
  });
  const [cpu_ms, bytes] = [server.cpu_ms, server.written_bytes];
  const timed = await load.ask("send", { port: server.port, requests, count });
  return {
    ...timed,
    cpu_us: ((server.cpu_ms - cpu_ms) / count) * MICROSECONDS,
    written_kb: (server.written_bytes - bytes) / count / KILOBYTE,
  };
}

async function delivery(ours: Side, theirs: Side): Promise<Measured[]> {
  await using our = await open(ours);
  await using their = await open(theirs);
  using ourLoad = new Load();
  using theirLoad = new Load();
  const turnOf = async (load: Load, server: Server, { at }: Side) => {
    await park(load, await registered(load, server, at.people, POLLS));
    const request = sending(at.people[0]!, GENERAL, "news");
    return () => load.ask("fanout", { request, rounds: ROUNDS, pid: server.pid });
  };
  const here = await turnOf(ourLoad, our, ours);
  const there = await turnOf(theirLoad, their, theirs);
  await inTurn(2, here, there);
  const results = await inTurn(FANOUT_TURNS, here, there);
  const each = (cpu_ms: number, deliveries: number) => (cpu_ms / deliveries) * MICROSECONDS;
  const what = "a delivery to 100 parked polls";
  return [
    line(`${what}, CPU`, "µs", results, (item) => each(item.delivering_ms, item.deliveries)),
    line(`${what}, with the next poll, CPU`, "µs", results, (o) => each(o.cycle_ms, o.deliveries)),
    line(`${what}, send to last, p50`, "ms", results, ({ p50_ms }) => p50_ms),
  ];
}

/** Registers the first user, who is in all channels and has 10,000 unread messages. */
async function register(ours: Side, theirs: Side): Promise<Measured[]> {
  await using our = await open(ours);
  await using their = await open(theirs);
  using load = new Load();
  const turn = (server: Server, { at }: Side) => {
    const requests = [posting(at.people[0]!, "/register", { apply_markdown: true })];
    return async () => {
      const before = server.cpu_ms;
      await load.ask("send", { port: server.port, requests, count: REGISTERS });
      return (server.cpu_ms - before) / REGISTERS;
    };
  };
  const [here, there] = [turn(our, ours), turn(their, theirs)];
  await inTurn(REGISTER_WARM_UP, here, there);
  const results = await inTurn(REGISTER_TURNS, here, there);
  return [line("a register, 1,000 people, 10,000 unread, CPU", "ms", results, (ms) => ms)];
}
