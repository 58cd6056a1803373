/** Builds the container image: an archive of two layers, with OCI and Docker manifests. */
import { createHash } from "node:crypto";
import { type Arch, ARCHITECTURES, type Contents, VERSION } from "./contents.ts";
import { type Entry, file, tarOf, withDirectories } from "./tar.ts";

/** An id that no account of a host uses. */
const ACCOUNT = 65_532;
const PRIVATE = 0o700;
const EXECUTABLE = 0o755;
/** Docker's unit of time is the nanosecond. */
const SECOND = 1_000_000_000;
const TYPE = "application/vnd.oci.image";
const PEOPLE = `root:x:0:0:root:/:/sbin/nologin
skein:x:${ACCOUNT}:${ACCOUNT}:Skein:/data:/sbin/nologin
`;
const GROUPS = `root:x:0:
skein:x:${ACCOUNT}:
`;

interface ImageOptions {
  readonly arch: Arch;
  readonly executable: Uint8Array;
  readonly contents: Contents;
  /** The libraries that the executable needs. */
  readonly base: readonly Entry[];
  /** The compression level of gzip, which every client can read. */
  readonly level: GzipLevel;
}

type GzipLevel = 1 | 6 | 9;

interface Layer {
  readonly bytes: Uint8Array;
  /** The digest of the uncompressed layer. */
  readonly diffId: string;
}

export function imageNameOf(arch: Arch): string {
  return `skein-${VERSION}-linux-${arch}.oci.tar`;
}

/** Returns an image for `docker load`, `podman load` and `skopeo copy oci-archive:`. */
export function imageOf({ arch, executable, contents, base, level }: ImageOptions): Uint8Array {
  const { time } = contents;
  const layer = (entries: readonly Entry[]): Layer => {
    const tar = tarOf(withDirectories(entries), time);
    return {
      bytes: Bun.gzipSync(tar as Uint8Array<ArrayBuffer>, { level }),
      diffId: digestOf(tar),
    };
  };
  const layers = [layer(base), layer(ownFiles(executable, contents))];
  const blobs = new Map(layers.map(({ bytes }) => [digestOf(bytes), bytes]));
  const config = blob(blobs, configOf(arch, time, layers));
  const described = layers.map(({ bytes }) => descriptor(`${TYPE}.layer.v1.tar+gzip`, bytes));
  const manifest = blob(blobs, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: descriptor(`${TYPE}.config.v1+json`, config),
    layers: described,
  });
  const index = {
    schemaVersion: 2,
    mediaType: `${TYPE}.index.v1+json`,
    manifests: [
      {
        ...descriptor(`${TYPE}.manifest.v1+json`, manifest),
        platform: { architecture: ARCHITECTURES[arch], os: "linux" },
        annotations: { "org.opencontainers.image.ref.name": VERSION },
      },
    ],
  };
  // Earlier versions of Docker read only this file.
  const docker = [
    {
      Config: pathOf(digestOf(config)),
      RepoTags: [`skein:${VERSION}`],
      Layers: layers.map(({ bytes }) => pathOf(digestOf(bytes))),
    },
  ];
  const files = [
    file("oci-layout", json({ imageLayoutVersion: "1.0.0" })),
    file("index.json", json(index)),
    file("manifest.json", json(docker)),
    ...[...blobs].map(([digest, bytes]) => file(pathOf(digest), bytes)),
  ];
  return tarOf(withDirectories(files), time);
}

function ownFiles(executable: Uint8Array, { license, notice }: Contents): Entry[] {
  const own = { kind: "directory", mode: PRIVATE, owner: ACCOUNT } as const;
  return [
    file("usr/bin/skein", executable, EXECUTABLE),
    file("usr/share/doc/skein/LICENSE", license),
    file("usr/share/doc/skein/NOTICE.txt", notice),
    file("etc/passwd", PEOPLE),
    file("etc/group", GROUPS),
    file("etc/nsswitch.conf", "hosts: files dns\n"),
    { ...own, name: "data" },
    // The container runtime mounts file systems on these directories.
    ...["dev", "proc", "sys", "tmp"].map((name) => ({ ...own, name, mode: EXECUTABLE, owner: 0 })),
  ];
}

function configOf(arch: Arch, time: number, layers: readonly Layer[]) {
  const created = new Date(time * 1_000).toISOString();
  return {
    architecture: ARCHITECTURES[arch],
    os: "linux",
    created,
    config: {
      User: `${ACCOUNT}:${ACCOUNT}`,
      ExposedPorts: { "9400/tcp": {} },
      Env: [
        "PATH=/usr/bin",
        "SKEIN_DATA=/data",
        "SKEIN_LISTEN=0.0.0.0:9400",
        // The database addon is unpacked there; the root file system may be read-only.
        "TMPDIR=/data/tmp",
      ],
      Entrypoint: ["/usr/bin/skein"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      WorkingDir: "/data",
      StopSignal: "SIGTERM",
      // Only Docker uses this; Kubernetes requests /livez and /readyz.
      Healthcheck: {
        Test: ["CMD", "/usr/bin/skein", "health"],
        Interval: 30 * SECOND,
        Timeout: 10 * SECOND,
        StartPeriod: 60 * SECOND,
        Retries: 3,
      },
      Labels: {
        "org.opencontainers.image.title": "Skein",
        "org.opencontainers.image.description": "Team chat in one file",
        "org.opencontainers.image.version": VERSION,
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: [
      { created, created_by: "the libraries of Debian that Skein needs" },
      { created, created_by: `Skein ${VERSION}` },
    ],
  };
}

function blob(blobs: Map<string, Uint8Array>, content: object): Uint8Array {
  const bytes = Buffer.from(json(content));
  blobs.set(digestOf(bytes), bytes);
  return bytes;
}

function descriptor(mediaType: string, bytes: Uint8Array) {
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}

const json = (content: unknown) => JSON.stringify(content);
const pathOf = (digest: string) => `blobs/${digest.replace(":", "/")}`;

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
