// The frame of each page of an HTML archive: it works from a folder, and contacts no server.
import { type Html, markup } from "../../i18n/markup.ts";
import type { Translator } from "../../i18n/translations.ts";

interface Framed {
  readonly title: string;
  /** Whether the page is in the root folder of the archive. */
  readonly isRoot?: boolean;
  readonly body: Html;
}

/** Properties that all pages of an archive share. */
export interface Frame {
  readonly speech: Translator;
  readonly organization: string;
  /** States when and for whom the archive was created. */
  readonly footer: string;
  /**
   * The policy runs only scripts and styles with this nonce, which authors of messages cannot know.
   */
  readonly nonce: string;
}

const policyOf = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' file:",
    "media-src 'self' file:",
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");

export function archivePage(frame: Frame, { title, isRoot = false, body }: Framed): string {
  const { speech, organization, footer, nonce } = frame;
  const { translate } = speech;
  const root = isRoot ? "" : "../";
  const fullTitle = isRoot ? organization : `${title} · ${organization}`;
  return markup`<!doctype html>
<html lang="${speech.language}" data-root="${root}" data-nonce="${nonce}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyOf(nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${fullTitle}</title>
<link rel="stylesheet" href="${root}archive.css" nonce="${nonce}">
</head>
<body>
<a class="skip" href="#main">${translate("public-skip")}</a>
<header class="top">
<a class="home" href="${root}index.html"><bdi>${organization}</bdi></a>
<form class="search" role="search" hidden>
<label><span class="unseen">${translate("archive-search")}</span>
<input type="search" name="q" placeholder="${translate("archive-search")}"
 autocomplete="off"></label>
</form>
</header>
<main id="main" tabindex="-1">
<div class="page">
${body}
</div>
<section class="found" hidden aria-labelledby="found-title" data-none="${translate("archive-none")}"
 data-more="${translate("archive-more")}" data-one="${translate("archive-count", { count: 1 })}"
 data-many="${translate("archive-results-many", { count: "#" })}"
 data-busy="${translate("archive-searching")}">
<h1 id="found-title">${translate("archive-found")}</h1><p class="state" role="status"></p>
<ol class="hits"></ol>
<button type="button" class="more" hidden>${translate("archive-more")}</button>
</section>
</main>
<footer>${footer}</footer>
<script src="${root}archive.js" nonce="${nonce}"></script>
</body>
</html>
`.text;
}
