// The HTML page that starts the client, and the manifest of the installed app.

interface StartData {
  /** The first script is executed; all are preloaded. */
  readonly boot: readonly string[];
  readonly style: string;
  readonly icon: string;
  /** The path of the icon for systems without SVG support. */
  readonly touchIcon: string;
}

const VIEWPORT =
  "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content";

export function shell({ boot, style, icon, touchIcon }: StartData): string {
  const [entry, ...others] = boot;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="${VIEWPORT}">
<meta name="color-scheme" content="light dark">
<title>Skein</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="apple-touch-icon" href="${touchIcon}">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="stylesheet" href="${style}">
${others.map((path) => `<link rel="modulepreload" href="${path}">`).join("\n")}
<script type="module" src="${entry}"></script>
</head>
<body>
<noscript><p>Skein needs JavaScript, which is disabled in this browser. Enable it for this site, or
use <a href="/help/apps/">one of the apps</a>.</p></noscript>
</body>
</html>
`;
}

/** Accepts any file; some systems require explicit types. */
const SHARED = ["*/*", "image/*", "video/*", "audio/*", "text/*", "application/*"];

export function manifest(iconAt: (name: string) => string): string {
  const icon = (name: string, purpose: string) => {
    return { src: iconAt(name), type: "image/svg+xml", sizes: "any", purpose };
  };
  return JSON.stringify({
    id: "/",
    name: "Skein",
    short_name: "Skein",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#f3f0ea",
    theme_color: "#f3f0ea",
    icons: [icon("app", "any"), icon("app-maskable", "maskable")],
    shortcuts: [
      { name: "Inbox", url: "/#inbox" },
      { name: "New message", url: "/#new" },
      { name: "Mentions", url: "/#narrow/is/mentioned" },
    ],
    share_target: {
      action: "/share",
      method: "POST",
      enctype: "multipart/form-data",
      params: {
        ...{ title: "title", text: "text", url: "url" },
        files: [{ name: "files", accept: SHARED }],
      },
    },
  });
}
