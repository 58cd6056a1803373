/** Builds the Debian package: the executable, its unit, completions, manual and licenses. */
import { createHash } from "node:crypto";
import { ACCOUNT, unitOf } from "../src/commands/systemd/unit.ts";
import { arOf } from "./ar.ts";
import { type Arch, ARCHITECTURES, type Contents, textOf, VERSION } from "./contents.ts";
import { type Entry, file, tarOf, withDirectories } from "./tar.ts";

const SCRIPTS = ["postinst", "prerm", "postrm"];
const SETTINGS = "etc/skein/skein.toml";
const EXECUTABLE = 0o755;
/** Settings may have secrets. */
const SECRET = 0o600;
/** Distributors set BUILD_MAINTAINER to their own name. */
const MAINTAINER = process.env["BUILD_MAINTAINER"] ?? "The Skein Authors <skein@localhost>";
const KIB = 1_024;

interface PackageOptions {
  readonly arch: Arch;
  readonly executable: Uint8Array;
  readonly contents: Contents;
  /** The compression level of zstd. */
  readonly level: number;
}

export function debNameOf(arch: Arch): string {
  return `skein_${VERSION}-1_${ARCHITECTURES[arch]}.deb`;
}

export function debOf({ arch, executable, contents, level }: PackageOptions): Uint8Array {
  const { time } = contents;
  const files = filesOf(executable, contents);
  const data = tarOf(withDirectories(files), time);
  const control = tarOf(controlOf(arch, files), time);
  const members = {
    "debian-binary": Buffer.from("2.0\n"),
    "control.tar.gz": Bun.gzipSync(control as Uint8Array<ArrayBuffer>),
    "data.tar.zst": Bun.zstdCompressSync(data, { level }),
  };
  return arOf(members, time);
}

function filesOf(executable: Uint8Array, contents: Contents): Entry[] {
  const { completions, man, notice, serviceSettings, time } = contents;
  const gzip = (text: string) => Bun.gzipSync(Buffer.from(text), { level: 9 });
  return [
    file("usr/bin/skein", executable, EXECUTABLE),
    file("usr/lib/systemd/system/skein.service", unitOf({ executable: "/usr/bin/skein" })),
    file("usr/lib/sysusers.d/skein.conf", ACCOUNT),
    file(SETTINGS, serviceSettings, SECRET),
    file("usr/share/man/man1/skein.1.gz", gzip(man)),
    file("usr/share/bash-completion/completions/skein", completions.bash),
    file("usr/share/zsh/vendor-completions/_skein", completions.zsh),
    file("usr/share/fish/vendor_completions.d/skein.fish", completions.fish),
    file("usr/share/doc/skein/copyright", textOf("packaging/debian/copyright")),
    file("usr/share/doc/skein/NOTICE.gz", gzip(notice)),
    file("usr/share/doc/skein/changelog.gz", gzip(textOf("CHANGELOG.md"))),
    file("usr/share/doc/skein/changelog.Debian.gz", gzip(changelog(time))),
    file("usr/share/lintian/overrides/skein", textOf("packaging/debian/overrides")),
  ];
}

function controlOf(arch: Arch, files: readonly Entry[]): Entry[] {
  const bytes = files.reduce((total, entry) => total + (entry.bytes?.length ?? 0), 0);
  const control = textOf("packaging/debian/control")
    .replace("VERSION", `${VERSION}-1`)
    .replace("ARCHITECTURE", ARCHITECTURES[arch])
    .replace("MAINTAINER", () => MAINTAINER)
    .replace("SIZE", String(Math.ceil(bytes / KIB)));
  // Operators edit the settings, so their checksum would differ.
  const checked = files.filter(({ name }) => name !== SETTINGS);
  const sums = checked.map(({ name, bytes }) => {
    return `${createHash("md5").update(bytes!).digest("hex")}  ${name}\n`;
  });
  return [
    file("control", control),
    file("conffiles", `/${SETTINGS}\n`),
    file("md5sums", sums.join("")),
    ...SCRIPTS.map((name) => file(name, textOf(`packaging/debian/${name}`), EXECUTABLE)),
  ];
}

function changelog(time: number): string {
  const date = new Date(time * 1_000).toUTCString().replace("GMT", "+0000");
  return `skein (${VERSION}-1) stable; urgency=medium

  * See changelog.gz for what changes in this version.

 -- ${MAINTAINER}  ${date}
`;
}
