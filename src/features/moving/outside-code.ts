// Applies a conversion to the parts of a Markdown text that are not code.

const CODE = /```[^]*?```|`[^`\n]+`/g;

/** Blocks of code are put on lines of their own. */
export function outsideCode(text: string, convert: (part: string) => string): string {
  let converted = "";
  let from = 0;
  for (const { 0: code, index } of text.matchAll(CODE)) {
    const before = convert(text.slice(from, index));
    from = index + code.length;
    converted += before;
    if (!code.startsWith("```")) converted += code;
    else {
      if (converted !== "" && !converted.endsWith("\n")) converted += "\n";
      converted += blockOf(code);
      if (from < text.length && text[from] !== "\n") converted += "\n";
    }
  }
  return converted + convert(text.slice(from));
}

/** The first line is a language only if code follows it. */
function blockOf(code: string): string {
  const inner = code.slice(3, -3);
  const [, language = "", body = inner] = /^([\w+#.-]{0,30})\n([^]*)$/.exec(inner) ?? [];
  return `\`\`\`${language}\n${body.replace(/^\n/, "").replace(/\n$/, "")}\n\`\`\``;
}
