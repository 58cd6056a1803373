/** Builds the archive for any Linux: the executable, manual, completions and licenses. */
import type { Target } from "../build.ts";
import { unitOf } from "../src/commands/systemd/unit.ts";
import { type Contents, textOf, VERSION } from "./contents.ts";
import { file, tarOf, withDirectories } from "./tar.ts";

const EXECUTABLE = 0o755;

export function tarballNameOf({ arch, libc }: Target): string {
  return `skein-${VERSION}-linux-${arch}${libc === "musl" ? "-musl" : ""}.tar.gz`;
}

export function tarballOf(executable: Uint8Array, contents: Contents, level: 1 | 9): Uint8Array {
  const { completions, license, man, notice, settings, time } = contents;
  const folder = `skein-${VERSION}`;
  const files = [
    file("skein", executable, EXECUTABLE),
    file("LICENSE", license),
    file("NOTICE.txt", notice),
    file("CHANGELOG.md", textOf("CHANGELOG.md")),
    file("skein.1", man),
    file("skein.toml", settings),
    file("skein.service", unitOf({ executable: "/usr/local/bin/skein" })),
    file("completions/skein.bash", completions.bash),
    file("completions/_skein", completions.zsh),
    file("completions/skein.fish", completions.fish),
  ];
  const inside = files.map((entry) => ({ ...entry, name: `${folder}/${entry.name}` }));
  const tar = tarOf(withDirectories(inside), time);
  return Bun.gzipSync(tar as Uint8Array<ArrayBuffer>, { level });
}
