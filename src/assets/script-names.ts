// Names of scripts, the same in every checkout, and the names by which scripts import each other.
const MARK = /-([0-9a-z]{8})\.js$/;
/** Length of the content hash. Long enough to distinguish versions of a file. */
const MARK_LENGTH = 6;

/**
 * Returns a function that replaces the content hashes in the names of scripts, since Bun's depend
 * on the path of the checkout and the current directory. `texts`: the scripts by name, which import
 * each other by these names. `tool` identifies the minifier, which chooses the names of exports.
 */
export function contentMarks(
  texts: ReadonlyMap<string, string>,
  tool: string,
): (text: string) => string {
  const marks = [...texts.keys()].flatMap((name) => MARK.exec(name)?.[1] ?? []);
  const knownNames = marks.length === 0 ? /(?!)/g : new RegExp(marks.join("|"), "g");
  const labels = labelsOf(texts, knownNames, tool);
  const renamed = (text: string) => text.replace(knownNames, (mark) => labels.get(mark)!);
  const names = [...texts.keys()];
  if (new Set(names.map(renamed)).size < names.length) throw new Error("two scripts of one name");
  return renamed;
}

/**
 * Scripts import each other in cycles, so each round includes imports that are one step further
 * away.
 */
function labelsOf(
  texts: ReadonlyMap<string, string>,
  knownNames: RegExp,
  tool: string,
): Map<string, string> {
  const scripts = [...texts].flatMap(([name, text]) => {
    const mark = MARK.exec(name)?.[1];
    if (mark === undefined) return [];
    const own = hashOf(tool + name.replace(knownNames, "") + text.replace(knownNames, ""));
    return { mark, own, imported: text.match(knownNames) ?? [] };
  });
  let labels = new Map(scripts.map(({ mark, own }) => [mark, own]));
  for (let round = 0; round < scripts.length; round += 1) {
    labels = new Map(
      scripts.map(({ mark, own, imported }) => {
        return [mark, hashOf([own, ...imported.map((other) => labels.get(other))].join(" "))];
      }),
    );
  }
  return new Map([...labels].map(([mark, label]) => [mark, label.slice(0, MARK_LENGTH)]));
}

function hashOf(text: string): string {
  return Bun.hash(text).toString(36).padStart(13, "0");
}

/** The list with which a minified script ends. */
const LIST = /export\{([^{}]*)\};?$/;

/**
 * Rewrites the export list of the script `name`, such as `export{ab as Xy,c as d}`, to
 * `export{ab,c}`, and the imports of the other scripts to match. All scripts are minified.
 */
export function withOwnNames(
  scripts: ReadonlyMap<string, string>,
  name: string,
): Map<string, string> {
  const from = `"./${name}"`;
  const list = LIST.exec(scripts.get(name)!)?.[1] ?? "";
  const exported = list.split(",").map((item) => item.split(" as "));
  const own = new Map(exported.map(([local, alias = local]) => [alias!, local!]));
  const names = [...new Set(own.values())].sort();
  const imported = (names: string) =>
    names.split(",").map((item) => {
      const [alias, local = alias] = item.split(" as ");
      const ownName = own.get(alias!);
      if (ownName === undefined) throw new Error(`${name} does not export ${alias}`);
      return ownName === local ? ownName : `${ownName} as ${local}`;
    });
  const IMPORT = new RegExp(String.raw`\bimport\{([^{}]*)\}from(?=${RegExp.escape(from)})`, "g");
  return new Map(
    [...scripts].map(([script, text]) => {
      if (script === name) {
        return [script, text.replace(LIST, () => `export{${names}};`)];
      }
      const renamed = text.replace(IMPORT, (_, names) => `import{${imported(names)}}from`);
      // Other uses, such as an `import()` of the whole script, would keep the former names.
      if (renamed.split(from).length - 1 !== (text.match(IMPORT) ?? []).length) {
        throw new Error(`${script} uses ${name} in an unexpected way`);
      }
      return [script, renamed];
    }),
  );
}
