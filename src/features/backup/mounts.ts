// Checks whether a directory is on a disk that should be mounted but is not.
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { withoutEnd } from "../../text/trim.ts";

const FSTAB = "/etc/fstab";
const UNITS = "/etc/systemd/system";
const MOUNTED = "/proc/self/mountinfo";
/** Column of the mount point in `/etc/fstab`. */
const FSTAB_FIELD = 1;
const MOUNTED_FIELD = 4;

/** Returns the mount point that the system is configured to have above `path`, if it is missing. */
export function missingMount(path: string): string | undefined {
  if (!existsSync(MOUNTED)) return undefined;
  const expected = [...mountPoints(textOf(FSTAB), FSTAB_FIELD), ...pointsOfUnits()];
  const mounted = new Set(mountPoints(textOf(MOUNTED), MOUNTED_FIELD));
  return missingAmong([path, realPath(path)], expected, mounted);
}

/** The innermost mount point above any of the paths counts. Exported for its test. */
export function missingAmong(
  paths: readonly string[],
  expected: readonly string[],
  mounted: ReadonlySet<string>,
): string | undefined {
  const above = expected.filter((point) =>
    paths.some((path) => `${path}/`.startsWith(`${point}/`)),
  );
  return above.toSorted((a, b) => b.length - a.length).find((point) => !mounted.has(point));
}

/** Returns the mount points of a table such as `/etc/fstab`, without swap and the root. */
export function mountPoints(text: string, field: number): string[] {
  return text.split("\n").flatMap((line) => {
    if (/^\s*(#|$)/.test(line)) return [];
    const point = withoutEnd(unescaped(line.trim().split(/\s+/)[field] ?? ""), /\//);
    return point.startsWith("/") ? point : [];
  });
}

/** A space in a path is written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)));
}

function pointsOfUnits(): string[] {
  const names = existsSync(UNITS) ? readdirSync(UNITS) : [];
  return names
    .filter((name) => name.endsWith(".mount"))
    .flatMap((name) => /^Where=(\/\S*[^/\s])/m.exec(textOf(join(UNITS, name)))?.[1] ?? []);
}

/** Symbolic links resolved as far as the path exists. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const above = dirname(path);
  return above === path ? path : join(realPath(above), path.slice(above.length));
}

/** "" if the file cannot be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
