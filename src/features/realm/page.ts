// The few HTML pages of the server: a template that escapes, and headers that allow nothing more.

/** Text that is HTML already; every other value is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/**
 * A template: what stands in `${…}` is escaped, unless it came from this template too.
 * It is not named after the language, for formatters would change what stands in it.
 */
export function markup(fixed: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(fixed.reduce((text, piece, at) => text + textOf(parts[at - 1]!) + piece));
}

/** What a page may besides. */
export interface Framing {
  readonly cookies?: readonly string[];
  /** Schemes of apps, such as `app:`, to which a form of it may lead. */
  readonly schemes?: readonly string[];
  /** The address of the one script that it runs, a file of ours. */
  readonly script?: string;
  /** Its forms change something: the server must see that they are its own. */
  readonly hasForms?: boolean;
}

export function page(title: string, body: Html, status = 200, framing: Framing = {}): Response {
  const { cookies = [], schemes = [], script, hasForms = false } = framing;
  const run = script === undefined ? "" : "script-src 'self'; connect-src 'self'; ";
  const headers = new Headers(HEADERS);
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; ${run}style-src 'sha256-${styleHash}'; ` +
      `form-action ${["'self'", ...schemes].join(" ")}; base-uri 'none'; frame-ancestors 'none'`,
  );
  // Without it, browsers do not say either where a form comes from.
  if (hasForms) headers.set("Referrer-Policy", "same-origin");
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  const loaded =
    script === undefined ? markup`` : markup`<script type="module" src="${script}"></script>`;
  return new Response(documentOf(title, markup`${body}${loaded}`).text, { status, headers });
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map((item) => item.text).join("");
  return String(part).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
label { display: block; margin-top: 1rem; font-weight: 600; }
input:not([type="hidden"]) { box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
select { padding: 0.5rem; font: inherit; }
button { margin-top: 1.5rem; padding: 0.5rem 1.5rem; font: inherit; }
.hint { margin: 0.25rem 0 0; font-size: 0.875rem; }
.refusal { padding: 0.5rem 1rem; border: 2px solid #c62828; border-radius: 0.25rem; }
code, pre { font-family: ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
`;

const styleHash = new Bun.CryptoHasher("sha256").update(STYLE).digest("base64");

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  // The addresses of these pages are secrets.
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

function documentOf(title: string, body: Html): Html {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Skein</title>
${new Html(`<style>${STYLE}</style>`)}
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}
