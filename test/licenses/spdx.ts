// Parses SPDX license expressions of packages, and tells whether the executable may include them.

/** These licenses only require that their text is included. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0"],
  ...["ISC", "MIT", "MIT-0", "OLDAP-2.8", "Unicode-3.0", "Unicode-DFS-2016", "Unlicense", "Zlib"],
]);

/** Alternatives need one allowed license; conjunctions need all. */
export function isAllowed(expression: string, allowed = ALLOWED): boolean {
  const parts = expression.match(/[()]|[^\s()]+/g) ?? [];
  let index = 0;
  const parseOr = (): boolean => {
    let isSatisfied = parseAnd();
    while (parts[index] === "OR") {
      index += 1;
      isSatisfied = parseAnd() || isSatisfied;
    }
    return isSatisfied;
  };
  const parseAnd = (): boolean => {
    let isSatisfied = parseTerm();
    while (parts[index] === "AND") {
      index += 1;
      isSatisfied = parseTerm() && isSatisfied;
    }
    return isSatisfied;
  };
  const parseTerm = (): boolean => {
    const part = parts[index++] ?? "";
    if (part === "(") {
      const isSatisfied = parseOr();
      return parts[index++] === ")" && isSatisfied;
    }
    // An exception only adds permissions.
    if (parts[index] === "WITH") index += 2;
    return allowed.has(part);
  };
  const isSatisfied = parseOr();
  return index === parts.length && isSatisfied;
}
