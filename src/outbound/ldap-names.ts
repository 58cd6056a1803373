// Puts what somebody typed into the filters and names of a directory, where it can change nothing.

/** Where the name stands in a template. */
export const USERNAME = "{username}";

/** A search filter (RFC 4515): whatever means something in one is written as its code. */
export function filterOf(template: string, username: string): string {
  const escaped = username.replace(/[\\*()\0]/g, (one) => `\\${hexOf(one)}`);
  return template.replaceAll(USERNAME, () => escaped);
}

/**
 * A distinguished name (RFC 4514). A template that is none, such as `{username}@example.com`, has
 * no way to escape anything, so only plain names fit it; undefined: this one does not.
 */
export function dnOf(template: string, username: string): string | undefined {
  if (!template.includes("=")) {
    return PLAIN.test(username) ? template.replaceAll(USERNAME, () => username) : undefined;
  }
  const escaped = username
    .replace(/[\\,+"<>;=]/g, (one) => `\\${one}`)
    .replace(/\0/g, "\\00")
    .replace(/^[ #]/, (one) => `\\${one}`)
    .replace(/ $/, "\\ ");
  return template.replaceAll(USERNAME, () => escaped);
}

const PLAIN = /^[\p{L}\p{N}._-]+$/u;

const hexOf = (one: string) => one.charCodeAt(0).toString(16).padStart(2, "0");
