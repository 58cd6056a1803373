// Makes a backup set: copies the data, then the files it refers to, then the description.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { yieldToEventLoop } from "../../async/yield.ts";
import { DAY_MS } from "../../contract/units.ts";
import { perRealm, type Reader, type Realm } from "../../realm.ts";
import { removeInSteps } from "../../store/copy/pages.ts";
import { blobsOf } from "../files/blobs.ts";
import { recordAct } from "../audit/record.ts";
import { deletionLock } from "../files/deletion-lock.ts";
import type { StoredBlob } from "../files/blob-store.ts";
import { publicConfig, needsOf } from "./server-description.ts";
import { RANDOM_DIGITS_LENGTH, setName } from "./rules.ts";
import { SentObjects } from "./upload-log.ts";
import { type BackupSet, bytesOf, type Manifest, putSet, readSet, setNames } from "./sets.ts";
import { BackupWorker, type Bytes } from "./work/run-worker.ts";
import { checkRecipients, type StoredObject } from "./work/packing.ts";
import type { ReferencedPath } from "./work/file-paths.ts";
import { BackupFailed, type Pieces, type Target } from "./work/target.ts";

export interface Order {
  /** Public keys of age; without any, nothing is encrypted. */
  readonly recipients: readonly string[];
  /** Includes the file with the key of the encrypted secrets, even in unencrypted backups. */
  readonly with_secrets?: boolean;
  /** Sends all files, even those that were sent before. */
  readonly resend?: boolean;
  /** Whether a server with a known configuration is running. */
  readonly is_serving?: boolean;
}

export interface BackupResult {
  readonly id: string;
  readonly bytes: number;
  readonly sent_bytes: number;
  readonly files: number;
  readonly counts: Record<string, number>;
  readonly missing: readonly string[];
  readonly damage: readonly string[];
}

export const SNAPSHOTS = "snapshots";
const COPY = "backup.mdb";
/** Prefix of a folder that a command turns into an archive and then deletes. */
export const ARCHIVE = "archive-";
const ARCHIVE_MS_MAX = DAY_MS;

const running = perRealm(() => ({ is: false }));

export const isBackingUp = (realm: Realm) => running(realm).is;

/** Runs one backup at a time. */
export async function backUp(realm: Realm, target: Target, order: Order): Promise<BackupResult> {
  if (target.is_elsewhere && order.recipients.length === 0) {
    throw new BackupFailed(
      `backups in buckets and archives must be encrypted: pass --recipient, a key from age-keygen`,
    );
  }
  const state = running(realm);
  if (state.is) throw new BackupFailed("a backup is already running; wait until it is done");
  state.is = true;
  let releaseLock: (() => void) | undefined;
  try {
    await checkRecipients(order.recipients);
    releaseLock = target.lock();
    const result = await new Run(realm, target, order).make();
    const { id, bytes, missing, damage } = result;
    const facts = { bytes, is_whole: missing.length + damage.length === 0 };
    const entry = { act: "backup_made", on: "backup", on_id: id, facts };
    // This also works on a full disk.
    await realm
      .write((tx) => recordAct(tx, entry))
      .catch((error: Error) => {
        realm.onNote("the state of a backup could not be stored", { error: error.message });
      });
    return result;
  } finally {
    releaseLock?.();
    state.is = false;
  }
}

function erasuresIn({ users }: Reader): number[] {
  return [...users.range()].flatMap(({ user_id, is_deleted }) => (is_deleted ? [user_id] : []));
}

type ManifestFile = Manifest["files"][number];

class Run {
  private readonly folder: string;
  private readonly copy: string;
  private readonly uploadedObjects: SentObjects;
  private sent_bytes = 0;

  constructor(
    private readonly realm: Realm,
    private readonly target: Target,
    private readonly order: Order,
  ) {
    this.folder = join(realm.config.data, SNAPSHOTS);
    this.copy = join(this.folder, COPY);
    this.uploadedObjects = SentObjects.open(this.folder, target, this.readers);
  }

  async make(): Promise<BackupResult> {
    await this.removeLeftovers();
    deletionLock(this.realm).acquire();
    try {
      using packer = BackupWorker.of(this.realm);
      const created = Math.floor(this.realm.clock.now());
      await this.realm.copyTo(this.copy, (from, to) => packer.copy(from, to));
      this.target.checkRoom(statSync(this.copy).size);
      const storedData = await this.store(created, packer);
      await removeInSteps(this.copy);
      return storedData;
    } finally {
      deletionLock(this.realm).release();
      await this.removeLeftovers();
    }
  }

  private async store(created_ms: number, packer: BackupWorker): Promise<BackupResult> {
    const id = setName(created_ms, randomDigits());
    const created = Math.floor(created_ms / 1000);
    const fileNames = await packer.named(this.copy);
    const { organization, name, places: namedPlaces } = fileNames;
    await this.checkOwner(organization);
    const { files, missing } = await this.files(namedPlaces, packer);
    const database = await this.put(packer, `db/${id}`, { path: this.copy });
    // Runs after the packing and not in parallel, to leave a processor to requests. Damaged data is
    // kept too, and the set records the damage.
    const { format, counts, damage } = await packer.walk(this.copy);
    const is_whole = missing.length + damage.length === 0;
    const newManifest: Manifest = {
      ...{ name, format, counts, files, missing, damage },
      ...this.publicDescription(),
      erased: erasuresIn(this.realm.read),
      secrets: this.secrets(),
    };
    const manifest = await this.put(packer, `manifests/${id}`, {
      pieces: streamOfText(JSON.stringify(newManifest)),
    });
    const objects = this.objectsOf(files);
    const is_encrypted = this.order.recipients.length > 0;
    const fields = { form: 1, id, created, organization, is_encrypted, is_whole } as const;
    const set: BackupSet = { ...fields, database, manifest, objects };
    await putSet(this.target, set);
    await this.uploadedObjects.save(files);
    const { sent_bytes } = this;
    return { id, bytes: bytesOf(set), sent_bytes, files: files.length, counts, missing, damage };
  }

  /** Prevents two organizations from using one place, if the place can be read. */
  private async checkOwner(organization: string): Promise<void> {
    if (this.target.is_elsewhere) return;
    const [newest] = (await setNames(this.target)).slice(-1);
    if (newest === undefined) return;
    const set = await readSet(this.target, newest).catch(() => undefined);
    if (set === undefined || set.organization === organization) return;
    throw new BackupFailed(`${this.target.name} contains backups of another organization`);
  }

  private async files(namedPlaces: Iterable<ReferencedPath>, packer: BackupWorker) {
    const files: Manifest["files"] = [];
    const missingFiles: string[] = [];
    for (const { path, is_derived } of namedPlaces) {
      await this.yieldToOthers();
      const file = await this.file(path, packer);
      if (file) files.push(file);
      else if (!is_derived) missingFiles.push(path);
    }
    if (files.length === 0 && missingFiles.length > 0) {
      const text = `none of the ${missingFiles.length} files exist`;
      throw new BackupFailed(
        `${text}. If they are in a bucket, pass the same flags as to skein serve`,
      );
    }
    return { files, missing: missingFiles };
  }

  private async file(path: string, packer: BackupWorker): Promise<ManifestFile | undefined> {
    const sentObject = this.uploadedObjects.file(path);
    if (sentObject && (await this.isUploaded(this.uploadedObjects.object(sentObject)!)))
      return sentObject;
    const retained = await blobsOf(this.realm).find(path);
    if (!retained) return undefined;
    const measured = await packer.measure(await bytesIn(retained));
    let object = this.uploadedObjects.object(measured);
    if (!object || !(await this.isUploaded(object))) {
      const name = this.objectName(measured.sha256);
      const { recipients } = this.order;
      const packing = { is_compressed: false, recipients };
      object = await packer.put(this.target, name, await bytesIn(retained), packing);
      this.sent_bytes += object.size;
    }
    const file = { place: path, ...measured, object: object.name };
    this.uploadedObjects.add(file, object);
    return file;
  }

  /** With write-only credentials the place cannot be read. */
  private async isUploaded({ name, size }: StoredObject): Promise<boolean> {
    if (this.order.resend && !this.resent.has(name)) return false;
    return this.target.is_elsewhere || (await this.target.sizeOf(name)) === size;
  }

  private readonly resent = new Set<string>();

  /** Names of encrypted objects do not reveal their contents. */
  private objectName(sha256: string): string {
    const isPlain = this.order.recipients.length === 0;
    const digits = isPlain ? sha256 : `${this.realm.read.secret.sign(`backup ${sha256}`)}`;
    // Encrypting again gives different bytes, and earlier sets refer to the previous object.
    const name = isPlain ? digits : `${digits.slice(0, 48)}-${randomDigits()}.age`;
    const object = `files/${digits.slice(0, 2)}/${name}`;
    this.resent.add(object);
    return object;
  }

  private objectsOf(files: Manifest["files"]): StoredObject[] {
    const objects = files.map((file) => this.uploadedObjects.object(file)!);
    return [...new Map(objects.map((object) => [object.name, object])).values()];
  }

  private async put(packer: BackupWorker, name: string, bytes: Bytes): Promise<StoredObject> {
    const { recipients } = this.order;
    const objectName = `${name}.zst${recipients.length > 0 ? ".age" : ""}`;
    const storedObject = await packer.put(this.target, objectName, bytes, {
      is_compressed: true,
      recipients,
    });
    this.sent_bytes += storedObject.size;
    return storedObject;
  }

  /** Lets other work run; ends early when the server stops. */
  private async yieldToOthers(): Promise<void> {
    if (this.realm.hub.isStopping) throw new BackupFailed("the server is stopping");
    await yieldToEventLoop();
  }

  private publicDescription(): Pick<Manifest, "config" | "needs"> {
    const { config } = this.realm;
    if (!this.order.is_serving) return { config: null, needs: [] };
    return { config: publicConfig(config), needs: needsOf(config) };
  }

  private secrets(): string | null {
    const isStored = this.order.recipients.length > 0 || this.order.with_secrets;
    const path = join(this.realm.config.data, "secrets");
    return isStored && existsSync(path) ? readFileSync(path, "utf8") : null;
  }

  private get readers(): string {
    return this.order.recipients.toSorted().join("\n");
  }

  private isOld(path: string): boolean {
    return statSync(path).mtimeMs < this.realm.clock.now() - ARCHIVE_MS_MAX;
  }

  /** Deletes what a killed run left. */
  private async removeLeftovers(): Promise<void> {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const isRetained = name.startsWith(ARCHIVE) && this.isOld(path);
      if (name.startsWith(COPY) || name === SPOOL || isRetained) {
        await rm(path, { force: true, recursive: true });
      }
    }
  }
}

/** Directory for objects that are being sent to a bucket. */
export const SPOOL = "spool";

async function bytesIn(retained: StoredBlob): Promise<Bytes> {
  if (retained.path !== undefined) return { path: retained.path };
  const { body } = new Response(await retained.body());
  return { pieces: (body ?? streamOfText("")) as unknown as Pieces };
}

async function* streamOfText(text: string) {
  yield Buffer.from(text);
}

function randomDigits(): string {
  const digits = Buffer.from(crypto.getRandomValues(new Uint8Array(4))).toString("hex");
  return digits.slice(0, RANDOM_DIGITS_LENGTH);
}
