// The Chromium from the development dependencies, unpacked once per machine and user.
import { brotliDecompressSync } from "node:zlib";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import packaged from "../../package.json";
import { HANG_MS } from "../patience.ts";

interface UnpackedChromium {
  readonly executablePath: string;
  /** Environment with paths of libraries and fonts. */
  readonly env: Record<string, string>;
}

/**
 * For machines without a screen and for containers. Starting a process costs more CPU time than
 * most tests: the GPU code runs in the browser's own, and tabs of one context share a renderer.
 */
const ARGUMENTS = [
  "--no-sandbox",
  "--no-zygote",
  "--disable-gpu",
  "--in-process-gpu",
  "--renderer-process-limit=1",
];
/** Playwright's default. It moves shared memory to files in /tmp, whose blocks the disk clears. */
const SHARED_MEMORY_IN_FILES = "--disable-dev-shm-usage";
/** Containers often limit /dev/shm to 64 MiB, where Chromium crashes. */
const SHARED_MEMORY_MIN_BYTES = 1024 ** 3;
const PROGRAM = "chromium";
const CHROMIUM_DIRECTORY = join(import.meta.dir, "../../node_modules/@sparticuz/chromium/bin");
/** Archives besides the program itself: libraries that a bare machine lacks, fonts, a renderer. */
const ARCHIVES = ["al2023", "fonts", "swiftshader"];
const FONTS = "fonts.conf";

/** On a busy machine Chromium sometimes crashes while it starts. */
const LAUNCHES_MAX = 3;

/** Starts a browser. The caller closes it. */
export async function launchChromium(extra: readonly string[] = []): Promise<Browser> {
  const options = {
    ...unpackChromium(),
    args: [...ARGUMENTS, ...extra],
    ignoreDefaultArgs: hasSharedMemory() ? [SHARED_MEMORY_IN_FILES] : [],
    timeout: HANG_MS,
  };
  for (let launch = 1; ; launch++) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      if (launch === LAUNCHES_MAX) throw error;
      console.log(`Chromium did not start, attempt ${launch}: ${(error as Error).message}`);
    }
  }
}

function hasSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= SHARED_MEMORY_MIN_BYTES;
  } catch {
    return false;
  }
}

/** Renamed into place atomically, so that test processes can request it at the same time. */
function unpackChromium(): UnpackedChromium {
  const user = process.getuid?.() ?? 0;
  const folder = join(
    tmpdir(),
    `skein-chromium-${packaged.devDependencies["@sparticuz/chromium"]}-${user}`,
  );
  // Programs that clean /tmp may remove old files and leave the folder.
  if (!existsSync(join(folder, PROGRAM))) unpackInto(folder);
  if (lstatSync(folder).uid !== user) throw new Error(`${folder} is somebody else's; remove it`);
  return {
    executablePath: join(folder, PROGRAM),
    env: {
      LD_LIBRARY_PATH: join(folder, "lib"),
      FONTCONFIG_FILE: join(folder, FONTS),
      HOME: folder,
    },
  };
}

function unpackInto(folder: string): void {
  const draft = mkdtempSync(`${folder}.`);
  const program = join(draft, PROGRAM);
  writeFileSync(
    program,
    brotliDecompressSync(readFileSync(join(CHROMIUM_DIRECTORY, "chromium.br"))),
  );
  chmodSync(program, 0o700);
  for (const name of ARCHIVES) unpack(join(CHROMIUM_DIRECTORY, `${name}.tar.br`), draft);
  writeFileSync(join(draft, FONTS), fontsIn(folder));
  if (!existsSync(join(folder, PROGRAM))) rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process has unpacked it first.
    if (!existsSync(join(folder, PROGRAM))) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

function unpack(archive: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const stdin = brotliDecompressSync(readFileSync(archive));
  const result = Bun.spawnSync(["tar", "-xf", "-", "-C", folder], { stdin });
  if (!result.success) throw new Error(`${archive}: ${result.stderr.toString()}`);
}

/** Lists only the unpacked fonts, so that every machine renders the same text. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>${join(folder, "fonts")}</dir>
<cachedir>${join(folder, "font-cache")}</cachedir>
</fontconfig>
`;
}
