// The container image: readable by other tools, and run as its user on a read-only root.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VERSION } from "../../packaging/contents.ts";
import { imageNameOf, imageOf } from "../../packaging/image.ts";
import { entriesIn } from "../../packaging/tar.ts";
import { settings } from "../../src/commands/config/settings.ts";
import { variableOf } from "../../src/commands/flags.ts";
import { ProcessOutput } from "../process-output.ts";
import { ARCH, hostBase, canHaveRoot, packageParts } from "./packages.ts";

const COMPOSE = join(import.meta.dir, "../../packaging/compose.yaml");
const KUBERNETES = join(import.meta.dir, "../../packaging/kubernetes.yaml");
let folder: string;
let path: string;
const files = new Map<string, Uint8Array>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-image-"));
  const image = imageOf({
    arch: ARCH,
    base: await hostBase(),
    level: 1,
    ...(await packageParts()),
  });
  path = join(folder, imageNameOf(ARCH));
  writeFileSync(path, image);
  for (const { name, bytes } of entriesIn(image)) files.set(name, bytes!);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// oxlint-disable-next-line typescript/no-explicit-any
const read = (name: string) => JSON.parse(Buffer.from(files.get(name)!).toString()) as any;
const blob = (digest: string) => `blobs/${digest.replace(":", "/")}`;
const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

function config() {
  const manifest = read(blob(read("index.json").manifests[0].digest));
  return { manifest, config: read(blob(manifest.config.digest)) };
}

test("each part is named by its checksum, and by both descriptions", () => {
  for (const [name, bytes] of files) {
    if (/^blobs\/sha256\/./.test(name)) expect(name).toBe(`blobs/sha256/${digest(bytes)}`);
  }
  const { manifest, config: created } = config();
  const layers = manifest.layers.map((layer: { digest: string; size: number }) => {
    const bytes = files.get(blob(layer.digest))!;
    expect(bytes.length).toBe(layer.size);
    return `sha256:${digest(Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>))}`;
  });
  expect(created.rootfs.diff_ids).toEqual(layers);
  const [docker] = read("manifest.json");
  expect(docker.Config).toBe(blob(manifest.config.digest));
  expect(docker.RepoTags).toEqual([`skein:${VERSION}`]);
  expect(docker.Layers).toEqual(
    manifest.layers.map((layer: { digest: string }) => blob(layer.digest)),
  );
});

test.skipIf(Bun.which("skopeo") === null)("skopeo reads it in both of its forms", () => {
  for (const form of ["oci-archive", "docker-archive"]) {
    const result = Bun.spawnSync(["skopeo", "inspect", `${form}:${path}`]);
    expect(JSON.parse(result.stdout.toString())).toMatchObject({ Os: "linux", Labels: {} });
  }
});

/** Like a container runtime, without networking. */
const RUN = `
  mount --bind "$ROOT" "$ROOT"
  mount -t proc none "$ROOT/proc"
  mount --rbind /dev "$ROOT/dev"
  mount -t tmpfs -o "uid=$OWNER,gid=$OWNER,mode=0700" none "$ROOT/data"
  mount -o remount,bind,ro "$ROOT"
  inside() { exec chroot --userspec="$OWNER:$OWNER" "$ROOT" /usr/bin/skein "$@"; }
  inside serve & server=$!
  read -r _
  (inside health); echo "health: $?"
  mkdir "$ROOT/somewhere" 2>&- && echo "written" || echo "root: read-only"
  kill -TERM "$server"
  wait "$server"; echo "ended: $?"
`;

test.skipIf(!canHaveRoot("tar"))(
  "serves as an unprivileged user, with a read-only root file system",
  async () => {
    const { manifest, config: created } = config();
    const root = join(folder, "root");
    mkdirSync(root);
    for (const layer of manifest.layers) {
      const stdin = files.get(blob(layer.digest))!;
      const unpacked = Bun.spawnSync(["tar", "-xzpf", "-", "-C", root], { stdin });
      expect(unpacked.stderr.toString()).toBe("");
    }
    expect(created.config).toMatchObject({ Entrypoint: ["/usr/bin/skein"], Cmd: ["serve"] });
    const [owner] = created.config.User.split(":");
    const env = created.config.Env.map((item: string) => item.split(/=(.*)/s).slice(0, 2));
    const child = Bun.spawn(["unshare", "--mount", "--pid", "--fork", "sh", "-c", RUN], {
      // Replaces the image's port, which may be in use on this machine.
      env: {
        ...Object.fromEntries(env),
        PATH: process.env["PATH"]!,
        SKEIN_LISTEN: "127.0.0.1:0",
        ...{ ROOT: root, OWNER: owner },
      },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const printed = ProcessOutput.from(child.stdout);
    const [, url] = await printed.untilMatch((lines) =>
      /listens on (\S+)\n[^]*The link/.exec(lines),
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await child.stdin.write("go on\n");
    await child.stdin.end();
    const all = await printed.readWhole();
    expect(all).toContain("health: 0\nroot: read-only\n");
    expect(all).toEndWith("ended: 0\n");
  },
);

test("its page runs this version without privileges", () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/operate/container.md"), "utf8");
  expect(page).toContain(`docker load --input ${imageNameOf("x64")}\n`);
  expect(page).toMatch(new RegExp(`docker run .*--read-only --cap-drop ALL .* skein:${VERSION}\n`));
});

// oxlint-disable-next-line typescript/no-explicit-any
const yaml = async (file: string) => Bun.YAML.parse(await Bun.file(file).text()) as any;

test("the Compose and Kubernetes examples run this version, with known settings", async () => {
  const known = Object.keys(settings).map(variableOf);
  const { skein } = (await yaml(COMPOSE)).services;
  expect(skein).toMatchObject({ image: `skein:${VERSION}`, read_only: true });
  expect(Object.keys(skein.environment).filter((name) => !known.includes(name))).toEqual([]);
  const [service, set] = await yaml(KUBERNETES);
  expect([service.kind, set.kind, set.spec.replicas]).toEqual(["Service", "StatefulSet", 1]);
  const { containers, securityContext } = set.spec.template.spec;
  expect(containers[0].image).toEndWith(`/skein:${VERSION}`);
  const names = containers[0].env.map(({ name }: { name: string }) => name);
  expect(names.filter((name: string) => !known.includes(name))).toEqual([]);
  expect(`${securityContext.runAsUser}:${securityContext.runAsGroup}`).toBe(
    config().config.config.User,
  );
  // A service named skein would have Kubernetes set variables that look like settings.
  expect(service.metadata.name).not.toBe("skein");
});
