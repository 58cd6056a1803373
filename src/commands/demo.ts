// `skein demo`: serves a sample organization that is deleted when the command ends.
import type { Config } from "../contract/config.ts";
import { signInLink } from "../features/sign-in/link.ts";
import type { Realm } from "../realm.ts";
import { openRunning, run } from "../running.ts";
import { clearLeftovers, DemoDirectory } from "./demo/directory.ts";
import { ORGANIZATION, VISITOR } from "./demo/people.ts";
import { command, UsageError } from "./flags.ts";
import { stopSignal } from "./serve.ts";
import { foldedAddress } from "../text/email-address.ts";

const HOST = "127.0.0.1";
const PORT_MAX = 65_535;
const EVERY_SECONDS_MAX = 3600;
const MAX_UPLOAD_MIB = 25;

export const demo = command({
  description: "runs a sample organization, which is deleted when the command ends",
  examples: ["skein demo", "skein demo --port 9400"],
  flags: {
    port: { value: "PORT", default: "0", description: "port to listen on; 0 for any free port" },
    every: {
      value: "SECONDS",
      default: "15",
      description: "interval between messages of other users; 0 for none",
    },
  },
  notes:
    "Listens only on this machine, and keeps its data in a temporary directory. If a demo was\n" +
    "killed, the next one deletes its directory.",
  async run({ port, every }) {
    const listening = wholeNumber(port, "--port", PORT_MAX);
    const pause_seconds = wholeNumber(every, "--every", EVERY_SECONDS_MAX);
    const stopped = stopSignal();
    clearLeftovers();
    const directory = DemoDirectory.make();
    try {
      await runDemo(configFor(directory, listening), pause_seconds, stopped);
    } finally {
      directory.remove();
    }
  },
});

async function runDemo(
  config: Config,
  pause_seconds: number,
  stopped: Promise<void>,
): Promise<void> {
  const { makeOrganization, PastClock } = await import("./demo/create.ts");
  const { simulateActivity } = await import("./demo/live-activity.ts");
  const clock = new PastClock();
  const created = await openRunning(config, clock);
  try {
    await makeOrganization(created, clock);
  } finally {
    await created.close();
  }
  const running = await run(config);
  const { realm } = running;
  // A different host name than 127.0.0.1, so that the cookies of a real server there are kept.
  realm.config.url = `http://localhost:${new URL(running.url).port}`;
  await printIntroduction(realm);
  const simulation = simulateActivity(realm, pause_seconds);
  await stopped;
  await simulation.stop();
  await running.stop();
}

async function printIntroduction(realm: Realm): Promise<void> {
  const link = await realm.write((tx) =>
    signInLink(tx, tx.users.findBy("email", foldedAddress(VISITOR))!),
  );
  console.log(`${ORGANIZATION} is running, on this machine only. Sign in as one of its users:`);
  console.log(link);
  console.log("The link works once. Ctrl+C stops the demo and deletes its data.");
}

function configFor({ data }: DemoDirectory, port: number): Config {
  return {
    data,
    host: HOST,
    port,
    url: "http://localhost",
    rate_limits: false,
    web_public_streams: false,
    archive_days: 0,
    max_upload_mib: MAX_UPLOAD_MIB,
    upload_quota_mib: 0,
    external_content: false,
    outbound_allow: [],
    log: "off",
  };
}

function wholeNumber(text: string, flag: string, max: number): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text);
  throw new UsageError(`${flag} must be a whole number up to ${max}`);
}
