// `skein restore`: brings an organization back from a backup, into a new directory.
import { lchownSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Config } from "../../contract/config.ts";
import { checkThere } from "../../features/backup/place.ts";
import { beginRestore, endRestore, restoreInto } from "../../features/backup/restore.ts";
import { makeRestored } from "../../features/backup/restored.ts";
import {
  type BackupSet,
  bytesOf,
  type Manifest,
  readManifest,
  setNamed,
} from "../../features/backup/sets.ts";
import { openTarget } from "../../features/backup/targets-later.ts";
import { Directory } from "../../features/files/directory.ts";
import type { Blobs } from "../../features/files/kept.ts";
import { placeOf } from "../../features/files/places.ts";
import { Remote } from "../../features/files/remote.ts";
import { Bucket } from "../../outbound/bucket.ts";
import { openRunning } from "../../running.ts";
import { bucketFlags, bucketIn } from "../bucket.ts";
import { configFor } from "../control.ts";
import { DEFAULT_FILE } from "../config/toml.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import {
  giveTo,
  makeRoom,
  ownerFor,
  type Service,
  serviceHere,
  startService,
} from "./unit-directory.ts";
import {
  countsText,
  from,
  identity,
  identityOf,
  PLACE_NOTES,
  placeFlags,
  placeIn,
  sizeText,
} from "./place.ts";

export const restore = command({
  about: "restores an organization from a backup, into a new directory or the service's",
  examples: [
    "skein restore --from /mnt/backups --only-look",
    "sudo skein restore --from /mnt/backups --service",
    "skein restore --from /mnt/backups --into ./skein-data",
  ],
  flags: {
    from,
    set: { value: "SET", about: "which one; without it, the newest" },
    into: { value: "DIR", about: "the new data directory" },
    service: {
      about:
        "restores into the directory of the service: stops it, moves the old data aside, starts it",
    },
    identity,
    "keep-going": {
      about: "restores all but damaged files, and lists these",
    },
    "only-look": {
      about: "shows what the backup contains and what a server will need, without restoring",
    },
    ...placeFlags,
    ...bucketFlags,
    json: { about: "prints what was restored as JSON" },
  },
  notes: `${PLACE_NOTES}
With --s3-endpoint and --s3-bucket files go to that bucket, in place of the directory.
What root restores belongs to whom the directory belongs to; with --service, to its account.`,
  async run(flags) {
    const say = flags.json ? () => {} : console.log;
    const goal = goalOf(flags);
    const place = placeIn(flags.from, flags);
    checkThere(place);
    const target = openTarget(place, goal?.into ?? tmpdir());
    const key = await identityOf(flags.identity);
    const set = await setNamed(target, flags.set);
    if (set.is_encrypted && key === undefined) {
      throw new CommandError(`${set.id} is encrypted: give the key's file with --identity`);
    }
    const opening = set.is_encrypted ? key : undefined;
    const manifest = await readManifest(target, set, opening);
    introduce(set, manifest, say);
    let lost: string[] = [];
    if (goal) {
      const { into, service } = goal;
      const aside = service && makeRoom(service, new Date());
      if (aside) say(`The files that were in ${into} are now in ${aside}.`);
      const owner = service ?? ownerFor(into);
      const bucket = bucketIn(flags);
      const building = beginRestore(into);
      const blobs = blobsIn(building, set, bucket);
      const keep_going = flags["keep-going"];
      const restoring = { target, set, manifest, identity: opening, keep_going };
      const restored = await restoreInto(building, blobs, restoring);
      await makeRestored(join(building, "data.mdb"));
      const config = { ...configFor(building), ...(bucket && { bucket }) };
      lost = await settle(config, restored.lost);
      if (owner) giveTo(building, owner);
      endRestore(into);
      if (owner) lchownSync(into, owner.uid, owner.gid);
      for (const words of lost) say(`Not restored, because it is damaged in the backup: ${words}`);
      const what = lost.length === 0 ? "All of it" : `All but ${lost.length} of the files`;
      say(`${what} is in ${into}, and was compared. ${next(goal, manifest)}`);
    }
    tellNeeds(manifest, say);
    if (!flags.json) return;
    const { id, created } = set;
    const { counts, files, needs, missing, config } = manifest;
    console.log(
      JSON.stringify({ id, created, counts, files: files.length, needs, missing, lost, config }),
    );
  },
});

interface Goal {
  readonly into: string;
  readonly service?: Service;
}

interface Asking {
  readonly "only-look": boolean;
  readonly into: string | undefined;
  readonly service: boolean;
}

/** undefined: nothing is restored. */
function goalOf(flags: Asking): Goal | undefined {
  if (flags.service && flags.into !== undefined) {
    throw new UsageError("--service restores into the service's directory: leave --into out");
  }
  if (flags["only-look"]) return undefined;
  if (flags.service) {
    const service = serviceHere();
    return { into: service.data, service };
  }
  if (flags.into !== undefined) return { into: resolve(flags.into) };
  throw new UsageError("--into is missing; for the directory of the service it is --service");
}

/** Starts the service, or says what is left to do. */
function next({ into, service }: Goal, { needs }: Manifest): string {
  if (!service) return `Next: skein serve --data ${into}`;
  if (needs.length > 0) {
    return `Next: add what is listed below to ${DEFAULT_FILE}, then: systemctl start skein`;
  }
  return startService() ? "The service runs." : "Next: systemctl start skein";
}

type Say = (words: string) => void;

function introduce(set: BackupSet, { name, counts, files, missing, damage }: Manifest, say: Say) {
  const when = new Date(set.created * 1000).toISOString();
  say(`${set.id}: ${name}, as it was at ${when}, ${sizeText(bytesOf(set))}.`);
  say(`It holds ${countsText(counts, files.length)}.`);
  for (const words of damage) say(`Damaged when it was made: ${words}`);
  for (const place of missing) say(`Missing when it was made: ${place}`);
}

/** Prints what the server needs and no backup contains. */
function tellNeeds({ config, needs, secrets }: Manifest, say: Say): void {
  if (config) {
    say(`The server was configured so: ${JSON.stringify(config)}`);
    for (const words of needs) say(`It still needs: ${words}`);
  } else say("It was made while no server ran: how one was configured, it does not say.");
  if (secrets !== null) return;
  say(
    "The key to sealed secrets is not in it: authenticator apps have to be set up anew, and keys",
  );
  say("of bots and links work, but cannot be read again.");
}

function blobsIn(building: string, set: BackupSet, bucket: Config["bucket"]): Blobs {
  const directory = new Directory(join(building, "uploads"));
  if (!bucket) return directory;
  return new Remote(directory, new Bucket(bucket), () => set.organization);
}

/**
 * Brings older data to this version's format, and makes the secrets that the backup lacks. Gives
 * the files that are lost, as people know them.
 */
async function settle(config: Config, lost: readonly string[]): Promise<string[]> {
  const realm = await openRunning(config);
  try {
    const { attachments, users } = realm.read;
    const names = new Map<string, string>();
    for (const { path_id, name, user_id } of lost.length === 0 ? [] : attachments.range()) {
      const owner = users.get(user_id)?.full_name ?? `account ${user_id}`;
      names.set(placeOf(path_id), `${name}, uploaded by ${owner}`);
    }
    return lost.map((place) => (names.has(place) ? `${names.get(place)} (${place})` : place));
  } finally {
    await realm.close();
  }
}
