// Finds lookups by unchecked names, which would also find members of `Object.prototype`.
import { posix } from "node:path";
import type { Source } from "./source.ts";

/** A table: a constant of the module whose type says that its keys are any text. */
const TABLE =
  /^(?:export )?const ([A-Z][A-Z0-9_]*)\s*:\s*(?:(?:Readonly|Partial)<)*Record<\s*string\b/gm;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;
const IMPORT = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm;

/** Each as its file and its name. */
export function tablesIn(files: readonly Source[]): ReadonlySet<string> {
  const namesTable = ({ path, text }: Source) =>
    [...text.matchAll(TABLE)].map(([, name]) => `${path} ${name!}`);
  return new Set(files.flatMap(namesTable));
}

/** The names under which a file knows tables, its own and those that it imports. */
function knownIn({ path, text }: Source, tables: ReadonlySet<string>): ReadonlySet<string> {
  const own = [...text.matchAll(TABLE)].map(([, name]) => name!);
  const imported = [...text.matchAll(IMPORT)].flatMap(([, names, from]) => {
    const owner = posix.join(posix.dirname(path), from!);
    return (names!.match(/\w+/g) ?? []).filter((name) => tables.has(`${owner} ${name}`));
  });
  return new Set([...own, ...imported]);
}

/** `TABLE[name]`, `name in TABLE` and `TABLE[name as keyof typeof TABLE]`, not after `hasOwn`. */
export function uncheckedLookups(file: Source, tables: ReadonlySet<string>): string[] {
  const { path, text } = file;
  const knownTables = knownIn(file, tables);
  const lines = text.replace(COMMENT, "").split("\n");
  return lines.flatMap((line, index) => {
    const before = lines.slice(Math.max(0, index - 2), index + 1).join("\n");
    const isUnchecked = (name: string) => !before.includes(`Object.hasOwn(${name},`);
    const indexed = [...line.matchAll(/(?<![\w.])([A-Z][A-Z0-9_]*)\[(?!["'\]\d])/g)];
    const cast = [...line.matchAll(/(?<![\w.])([A-Z][A-Z0-9_]*)\[[^\]]*\bas keyof typeof \1\]/g)];
    const within = [...line.matchAll(/(?<!for \(const \w+)\s\bin ([A-Z][A-Z0-9_]*)\b(?![.(])/g)];
    const names = [
      ...[...indexed, ...within].map(([, name]) => name!).filter((name) => knownTables.has(name)),
      ...cast.map(([, name]) => name!),
    ];
    return [...new Set(names)]
      .filter(isUnchecked)
      .map((name) => `${path}:${index + 1}  ${name}: use ownValue, Object.hasOwn or a Map`);
  });
}
