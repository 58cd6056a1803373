// `skein restore`: restores an organization from a backup into a new directory.
import { lchownSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../contract/config.ts";
import { checkExists } from "../../features/backup/check-location.ts";
import { prepareRestore, completeRestore, restoreInto } from "../../features/backup/restore.ts";
import { repeatErasures, erasedLater, makeRestored } from "../../features/backup/after-restore.ts";
import { type OpenedSet, openSet } from "../../features/backup/open-set.ts";
import { bytesOf, type Manifest } from "../../features/backup/sets.ts";
import { openTarget } from "../../features/backup/targets-outbound.ts";
import { Directory } from "../../features/files/directory.ts";
import type { Blobs } from "../../features/files/blob-store.ts";
import { blobName } from "../../features/files/blob-names.ts";
import { BucketBlobs } from "../../features/files/bucket.ts";
import { Bucket } from "../../outbound/bucket.ts";
import { openRunning } from "../../running.ts";
import { loopbackHost } from "../../text/input/loopback.ts";
import { bucketFlags, bucketIn } from "../bucket.ts";
import { configFor } from "../control.ts";
import { DEFAULT_FILE } from "../config/toml.ts";
import { shellWord, sizeText } from "../../store/system/system-errors.ts";
import { command, UsageError } from "../flags.ts";
import {
  changeOwner,
  freeSpace,
  ownerFor,
  type Service,
  installedService,
  startService,
} from "./unit-directory.ts";
import {
  countsText,
  from,
  identity,
  identityOf,
  LOCATION_NOTES,
  locationFlags,
  locationIn,
} from "./location.ts";

export const restore = command({
  description:
    "restores an organization from a backup into a new directory or the service's directory",
  examples: [
    "skein restore --from /mnt/backups --only-look",
    "sudo skein restore --from /mnt/backups --service",
    "skein restore --from /mnt/backups --into ./skein-data",
  ],
  flags: {
    from,
    set: { value: "SET", description: "the set to restore (default: the newest)" },
    into: { value: "DIR", description: "the new data directory" },
    service: {
      description:
        "restore into the service's directory: stop it, move the old data aside, start it again",
    },
    identity,
    "keep-going": {
      description: "skip damaged files and list them",
    },
    "only-look": {
      description:
        "show what the backup contains and which settings the server needs, without restoring",
    },
    ...locationFlags,
    ...bucketFlags,
    json: { description: "print the result as JSON" },
  },
  notes: `${LOCATION_NOTES}
With --s3-endpoint and --s3-bucket, files are restored to that bucket instead of the directory.
If run by root, the restored files belong to the owner of the directory; with --service, to the
account of the service.`,
  async run(flags) {
    const print = flags.json ? () => {} : console.log;
    const goal = destinationOf(flags);
    const location = locationIn(flags.from, flags);
    checkExists(location);
    const target = openTarget(location, goal?.into ?? tmpdir());
    const key = await identityOf(flags.identity);
    const keep_going = flags["keep-going"];
    const openedSet = await openSet(target, { id: flags.set, identity: key, keep_going });
    const { set, manifest } = openedSet;
    printSet(openedSet, print);
    let lostFiles: string[] = [];
    let counted = { counts: manifest.counts, files: manifest.files.length };
    if (goal) {
      const { into, service } = goal;
      const previous = service && freeSpace(service, new Date());
      if (previous) print(`The previous files of ${into} are now in ${previous}.`);
      const owner = service ?? ownerFor(into);
      const bucket = bucketIn(flags);
      const building = prepareRestore(into);
      const blobs = blobsIn(building, bucket);
      const identity = set.is_encrypted ? key : undefined;
      const restoring = { target, ...openedSet, identity, keep_going };
      const restored = await restoreInto(building, blobs, restoring);
      counted = { counts: restored.walkResult.counts, files: restored.files };
      await makeRestored(join(building, "data.mdb"));
      const config = { ...configFor(building), ...(bucket && { bucket }) };
      const erasedSince = await erasedLater(target, set, key);
      const report = await finishRestore(config, restored.lost, erasedSince);
      lostFiles = report.lost;
      for (const user_id of report.erased) {
        print(`Erased user ${user_id} again, who was erased after this backup.`);
      }
      if (owner) changeOwner(building, owner);
      completeRestore(into);
      if (owner) lchownSync(into, owner.uid, owner.gid);
      if (openedSet.is_recovered) {
        print(`The restored data has ${countsText(counted.counts, counted.files)}.`);
        for (const text of restored.walkResult.damage) print(`Damaged: ${text}`);
      }
      for (const text of lostFiles) print(`Not restored, because damaged in the backup: ${text}`);
      const except = lostFiles.length === 0 ? "" : ` except ${lostFiles.length} files`;
      print(`Restored everything${except} to ${into} and verified it. ${nextStep(goal, manifest)}`);
    }
    printNeeds(manifest, print);
    if (!flags.json) return;
    const { id, created } = set;
    const { needs, missing, config } = manifest;
    const { faults } = openedSet;
    console.log(
      JSON.stringify({ id, created, ...counted, needs, missing, lost: lostFiles, faults, config }),
    );
  },
});

interface Destination {
  readonly into: string;
  readonly service?: Service;
}

interface DestinationFlags {
  readonly "only-look": boolean;
  readonly into: string | undefined;
  readonly service: boolean;
}

/** undefined if the command only shows the backup (--only-look). */
function destinationOf(flags: DestinationFlags): Destination | undefined {
  if (flags.service && flags.into !== undefined) {
    throw new UsageError("--service restores into the service's directory: omit --into");
  }
  if (flags["only-look"]) return undefined;
  if (flags.service) {
    const service = installedService();
    return { into: service.data, service };
  }
  if (flags.into !== undefined) return { into: resolve(flags.into) };
  throw new UsageError("--into is missing; to restore into the service's directory, use --service");
}

/** Starts the service, or prints the remaining steps. */
function nextStep({ into, service }: Destination, { needs }: Manifest): string {
  if (!service) return `Next: skein serve --data ${shellWord(into)}`;
  if (needs.length > 0) {
    return `Next: add the settings below to ${DEFAULT_FILE}, then: systemctl start skein`;
  }
  return startService() ? "The service is running." : "Next: systemctl start skein";
}

type Print = (text: string) => void;

function printSet({ set, manifest, is_recovered, faults }: OpenedSet, print: Print): void {
  const { name, counts, files, missing, damage } = manifest;
  const when = new Date(set.created * 1000).toISOString();
  const title = name === "" ? set.id : `${set.id}: ${name}`;
  print(`${title}, as of ${when}, ${sizeText(bytesOf(set))}.`);
  for (const text of faults) print(`Damaged in the backup: ${text}`);
  if (is_recovered) {
    print(`The list of its files is lost. The other sets list ${files.length} files.`);
    return;
  }
  print(`It contains ${countsText(counts, files.length)}.`);
  for (const text of damage) print(`Damaged when the backup was made: ${text}`);
  for (const path of missing) print(`Missing when the backup was made: ${path}`);
}

/** Prints what the server needs and no backup contains. */
function printNeeds({ config, needs, secrets }: Manifest, print: Print): void {
  if (config) {
    print(`Configuration of the server: ${JSON.stringify(config)}`);
    for (const text of needs) print(`Settings to add: ${text}`);
    const name = dnsNameIn(config["url"]);
    if (name !== undefined) print(`Point the DNS name ${name} to the new machine.`);
  } else
    print("The backup was made while no server was running, so it has no server configuration.");
  if (secrets !== null) return;
  print("The backup does not contain the key to encrypted secrets. Users must set up");
  print(
    "authenticator apps again. API keys of bots and links keep working, but cannot be displayed.",
  );
}

/** undefined: users open the server by an IP address, or only on its own machine. */
function dnsNameIn(url: unknown): string | undefined {
  const address = typeof url === "string" ? url : "";
  const { hostname = "" } = URL.parse(address) ?? {};
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0;
  return isAddress || loopbackHost(address) !== undefined ? undefined : hostname || undefined;
}

const blobsIn =
  (building: string, bucket: Config["bucket"]) =>
  (organization: string): Blobs => {
    const directory = new Directory(join(building, "uploads"));
    return bucket ? new BucketBlobs(directory, new Bucket(bucket), () => organization) : directory;
  };

/**
 * Migrates older data to this version's format, and creates missing secrets. Returns the lost files
 * by their display names.
 */
async function finishRestore(
  config: Config,
  lostFiles: readonly string[],
  erased: readonly number[],
) {
  const realm = await openRunning(config);
  try {
    const { attachments, users } = realm.read;
    const names = new Map<string, string>();
    for (const { path_id, name, user_id } of lostFiles.length === 0 ? [] : attachments.range()) {
      const owner = users.get(user_id)?.full_name ?? `account ${user_id}`;
      names.set(blobName(path_id), `${name}, uploaded by ${owner}`);
    }
    return {
      lost: lostFiles.map((path) => (names.has(path) ? `${names.get(path)} (${path})` : path)),
      erased: await repeatErasures(realm, erased),
    };
  } finally {
    await realm.close();
  }
}
