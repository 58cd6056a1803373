// Finds images and videos of other hosts in rendered HTML.
import { ownValue } from "./input/own-value.ts";
import { escapeAttribute } from "./markdown/serialize.ts";

const EXTERNAL_SOURCE = /(<(?:img|video|audio) [^<>]*?\bsrc=")(https?:\/\/[^"<>]*)"/g;
const BACKGROUND = /( style="background-image: url\(&quot;)(https?:\/\/[^"<>]*?)(&quot;\)")/g;

/** Returns the same HTML with other URLs for them. */
export function withForeignMedia(html: string, proxiedUrl: (url: string) => string): string {
  const rewrittenUrl = (text: string) => escapeAttribute(proxiedUrl(unescaped(text)));
  const isLoading = html.includes(' src="http');
  const url = isLoading
    ? html.replace(
        EXTERNAL_SOURCE,
        (_, before: string, url: string) => `${before}${rewrittenUrl(url)}"`,
      )
    : html;
  if (!url.includes("background-image: url(&quot;http")) return url;
  return url.replace(BACKGROUND, (_, before: string, url: string, after: string) => {
    return before + rewrittenUrl(url) + after;
  });
}

const SYMBOLS: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };

function unescaped(attribute: string): string {
  return attribute.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ownValue(SYMBOLS, name)!);
}
