// `skein serve`: runs the server until it is told to stop.
import { resolve } from "node:path";
import {
  type Config,
  DEFAULT_ARCHIVE_DAYS,
  DEFAULT_DATA,
  DEFAULT_LISTEN,
  DEFAULT_MAX_UPLOAD_MIB,
} from "../config.ts";
import { openSetUp } from "../features/realm/set-up.ts";
import { RangeInvalid, rangesOf } from "../outbound/addresses.ts";
import type { Realm } from "../realm.ts";
import type { Deactivation } from "../records.ts";
import { type Beside, NotOpened, run } from "../running.ts";
import { BUCKET_NOTES, bucketFlags, bucketIn } from "./bucket.ts";
import { takeOrders } from "./control.ts";
import { command, Trouble, UsageError } from "./flags.ts";
import { besideOf } from "./hosts.ts";
import { mailConfig, mailFlags } from "./mail.ts";
import { listenAddress, publicUrl, urlOf } from "./listen.ts";
import { voucherFlags, vouchersIn } from "./vouchers.ts";

export const serve = command({
  about: "runs the server",
  flags: {
    data: { value: "DIR", otherwise: DEFAULT_DATA, about: "the data directory" },
    listen: {
      value: "HOST:PORT",
      otherwise: DEFAULT_LISTEN,
      about: "where to listen; port 0 is any that is free",
    },
    url: { value: "URL", about: "the address that people use, if it is another" },
    hosts: {
      value: "NAME=DIR,…",
      otherwise: "",
      about: "further organizations, each at a host and in a directory of its own",
    },
    "root-host": { value: "NAME", about: "the host of the server itself, of no organization" },
    "rate-limits": {
      value: "on|off",
      otherwise: "on",
      about: "whether a client that asks too often is refused",
    },
    "web-public-streams": {
      value: "on|off",
      otherwise: "off",
      about: "whether the organization may show channels to everyone, without an account",
    },
    "archive-days": {
      value: "DAYS",
      otherwise: String(DEFAULT_ARCHIVE_DAYS),
      about: "for how long deleted messages are kept; 0 is not at all",
    },
    "max-upload-mib": {
      value: "MIB",
      otherwise: String(DEFAULT_MAX_UPLOAD_MIB),
      about: "the largest file that people may upload",
    },
    "upload-quota-mib": {
      value: "MIB",
      otherwise: "0",
      about: "how much all uploaded files may take; 0 is as much as the disk has",
    },
    ...bucketFlags,
    "outbound-allow": {
      value: "RANGES",
      otherwise: "",
      about: "private addresses that the server may call, such as 10.1.0.0/16,fd00::/8",
    },
    ...mailFlags,
    ...voucherFlags,
  },
  notes: BUCKET_NOTES,
  async run(flags) {
    const { host, port } = listenAddress(flags.listen);
    const bucket = bucketIn(flags);
    const config: Config = {
      data: resolve(flags.data),
      host,
      port,
      url: flags.url === undefined ? "" : publicUrl(flags.url),
      rate_limits: isOn(flags["rate-limits"], "--rate-limits"),
      web_public_streams: isOn(flags["web-public-streams"], "--web-public-streams"),
      archive_days: daysIn(flags["archive-days"]),
      max_upload_mib: mibIn(flags["max-upload-mib"], "--max-upload-mib", 1),
      upload_quota_mib: mibIn(flags["upload-quota-mib"], "--upload-quota-mib", 0),
      ...(bucket && { bucket }),
      outbound_allow: rangesIn(flags["outbound-allow"]),
      mail: mailConfig(flags),
      ...vouchersIn(flags),
      log: process.stderr.isTTY ? "text" : "json",
    };
    const beside = besideOf(config, flags.hosts, flags["root-host"]);
    if (config.url === "" && port !== 0) config.url = urlOf(host, port);
    await serveUntilTold(config, beside);
  },
});

async function serveUntilTold(config: Config, beside: Beside): Promise<void> {
  const told = toldToStop();
  const controls = new Map<Realm, ReturnType<typeof takeOrders>>();
  const come = async (realm: Realm) => {
    if (controls.has(realm) || realm.hub.isStopping) return;
    controls.set(realm, takeOrders(realm));
    await introduce(realm);
  };
  const running = await run(config, undefined, {
    ...beside,
    async onGone(realm) {
      const { name } = realm.read.settings;
      await controls.get(realm)?.stop();
      controls.delete(realm);
      console.log(`The time of ${name} at ${realm.config.url} has come: it is deleted.`);
    },
    onCome: come,
  }).catch(plainly(config));
  console.log(`Skein listens on ${running.url}`);
  for (const data of running.erased) {
    console.log(`The organization in ${data} was deleted. Leave the directory out of --hosts,`);
    console.log(`or take away ${data}/deleted to set up another one in it.`);
  }
  for (const realm of [...running.realms]) await come(realm);
  await told;
  await Promise.all([...controls.values()].map((control) => control.stop()));
  await running.stop();
}

async function introduce(realm: Realm): Promise<void> {
  if (!realm.read.realm.has(1)) {
    console.log(`Set up the organization: ${await realm.write(openSetUp)}`);
    console.log("The link works once, for 30 minutes; a restart prints a new one.");
    return;
  }
  const { name } = realm.read.settings;
  const closed = realm.read.deactivations.get(1);
  if (!closed) console.log(`People sign in to ${name} at ${realm.config.url}`);
  else console.log(`${name} at ${realm.config.url} is deactivated.${fate(closed)}`);
}

function fate({ delete_at = null }: Deactivation): string {
  if (delete_at === null) return "";
  return ` Its data is deleted at ${new Date(delete_at * 1000).toISOString()}.`;
}

/** Of a second signal the process dies at once: what was acknowledged is on disk. */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve();
      });
    }
  });
}

function plainly({ host, port }: Config) {
  return (error: unknown): never => {
    if (error instanceof NotOpened) throw new Trouble(error.message);
    if ((error as { code?: string }).code !== "EADDRINUSE") throw error;
    throw new Trouble(`${host}:${port} is in use by another program; choose with --listen`);
  };
}

function isOn(text: string, flag: string): boolean {
  if (text !== "on" && text !== "off") throw new UsageError(`${flag} is on or off`);
  return text === "on";
}

function daysIn(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new UsageError("--archive-days is a number of days, such as 30");
}

function rangesIn(text: string): string[] {
  const ranges = text.split(",").flatMap((range) => range.trim() || []);
  try {
    rangesOf(ranges);
  } catch (error) {
    if (error instanceof RangeInvalid) throw new UsageError(`--outbound-allow: ${error.message}`);
    throw error;
  }
  return ranges;
}

function mibIn(text: string, flag: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new UsageError(`${flag} is a number of MiB, such as 100`);
}
