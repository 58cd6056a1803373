// The browser's session as far as a page can know it, and the sign-in page.

/** Over HTTPS the name has this prefix, which browsers accept from no other host. */
const COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/;
const SESSION_KEY = "skein.session";

/** The CSRF token of the session, or of the sign-in form; "" if there is none. */
export const csrfToken = (): string => COOKIE.exec(document.cookie)?.[1] ?? "";

/**
 * An identifier of the session that does not reveal its secret. Data of a session is shared by its
 * tabs, and must not be used by tabs of another one.
 */
export const sessionName = (): string => nameOf(csrfToken());

/** The user who was in this session when it was last seen. */
export function knownUser(): number | undefined {
  const [name, user_id] = readStoredUser()?.split(" ") ?? [];
  return name === sessionName() && user_id ? Number(user_id) : undefined;
}

export function rememberUser(user_id: number): void {
  orUndefined(() => localStorage.setItem(SESSION_KEY, `${sessionName()} ${user_id}`));
}

/** Forgets the user of a session, unless the user has signed in with another session since. */
export function forgetUser(session: string): void {
  if (readStoredUser()?.split(" ")[0] === session)
    orUndefined(() => localStorage.removeItem(SESSION_KEY));
}

/** The user of the last known session of this browser, ended or not. */
export function lastUser(): number | undefined {
  const [, user_id] = readStoredUser()?.split(" ") ?? [];
  return user_id ? Number(user_id) : undefined;
}

/** Whether the last known user was signed in with another session than the current one. */
export const isOfAnotherSession = (): boolean =>
  lastUser() !== undefined && knownUser() === undefined;

/** Contains the address of the view, to which the user returns. */
export function signInAddress(url: Pick<URL, "pathname" | "search" | "hash"> = location): string {
  const { pathname, search, hash } = url;
  return `/login/?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** `reason`: a query with which the sign-in page explains why the session ended. */
export const goToSignIn = (reason = ""): void => location.assign(signInAddress() + reason);

function readStoredUser(): string | null {
  return orUndefined(() => localStorage.getItem(SESSION_KEY)) ?? null;
}

/** Browsers may block storage. */
export function orUndefined<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** 64-bit FNV-1a. It need not be secure: it only distinguishes a few sessions. */
function nameOf(text: string): string {
  let hash = OFFSET;
  for (const unit of text) hash = BigInt.asUintN(64, (hash ^ BigInt(unit.charCodeAt(0))) * PRIME);
  return hash.toString(36);
}
