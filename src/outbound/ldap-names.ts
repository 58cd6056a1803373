// Inserts user input into LDAP filters and distinguished names with escaping.

/** Placeholder for the user name in templates. */
export const USERNAME = "{username}";

/** Returns a search filter (RFC 4515) with special characters escaped. */
export function filterOf(template: string, username: string): string {
  const escaped = username.replace(/[\\*()\0]/g, (item) => `\\${hexOf(item)}`);
  return template.replaceAll(USERNAME, () => escaped);
}

/**
 * Returns a distinguished name (RFC 4514). A template that is not a distinguished name, such as
 * `{username}@example.com`, has no escaping; then undefined is returned for names with special
 * characters.
 */
export function dnOf(template: string, username: string): string | undefined {
  if (!template.includes("=")) {
    return PLAIN.test(username) ? template.replaceAll(USERNAME, () => username) : undefined;
  }
  const escaped = username
    .replace(/[\\,+"<>;=]/g, (item) => `\\${item}`)
    .replace(/\0/g, "\\00")
    .replace(/^[ #]/, (item) => `\\${item}`)
    .replace(/ $/, "\\ ");
  return template.replaceAll(USERNAME, () => escaped);
}

const PLAIN = /^[\p{L}\p{N}._-]+$/u;

const hexOf = (item: string) => item.charCodeAt(0).toString(16).padStart(2, "0");
