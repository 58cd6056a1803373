/** `bun run release`: all files of a release, in dist/release. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { buildAll } from "../build.ts";
import { contentsOf, ROOT, VERSION } from "./contents.ts";
import { makePackages } from "./package.ts";
import { sbomOf } from "./sbom.ts";
import { signerIn, signFile } from "./sign.ts";
import { SUMS, writeSums } from "./sums.ts";

const KEY = process.env["BUILD_SIGNING_KEY"];

const folder = join(ROOT, "dist/release");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
// Fails before the builds, which take minutes, if the key cannot be read.
const signer = KEY === undefined ? undefined : signerIn(KEY);
const { license, notice, time } = contentsOf();

const built = await buildAll(join(ROOT, "dist"));
const executables = built.map(({ path }) => basename(path));
for (const { path } of built) copyFileSync(path, join(folder, basename(path)));
const packages = await makePackages(built, folder);

const sources = built.flatMap((built) => built.sources);
const texts = {
  [`skein-${VERSION}.cdx.json`]: sbomOf(sources, time),
  LICENSE: license,
  "NOTICE.txt": notice,
};
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
const names = [...executables, ...packages, ...Object.keys(texts)];
writeSums(folder, names);
console.log([...Object.keys(texts), SUMS].join("\n"));

if (signer) for (const name of [...names, SUMS]) signFile(folder, name, signer, time);
console.log(signer ? "All are signed." : "Not signed: BUILD_SIGNING_KEY names no key.");
