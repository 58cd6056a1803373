// The browser's session as far as a page can tell, and the sign-in page.

/** Over https the name begins so, and browsers take it from no other host. */
const COOKIE = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/;
const KNOWN = "skein.session";

/** The token of the session, or of the form to sign in; "" without any. */
export const csrfToken = (): string => COOKIE.exec(document.cookie)?.[1] ?? "";

/**
 * A name for the session that says nothing about it: what one session has registered, its tabs
 * share, and no other session's tab may use.
 */
export const sessionName = (): string => nameOf(csrfToken());

/** The user who was in this session when it was last seen. */
export function knownUser(): number | undefined {
  const [name, user_id] = kept()?.split(" ") ?? [];
  return name === sessionName() && user_id ? Number(user_id) : undefined;
}

export function rememberUser(user_id: number): void {
  attempt(() => localStorage.setItem(KNOWN, `${sessionName()} ${user_id}`));
}

/** Not one who is in another session by now. */
export function forgetUser(session: string): void {
  if (kept()?.split(" ")[0] === session) attempt(() => localStorage.removeItem(KNOWN));
}

/** The user of the last known session of this browser, ended or not. */
export function keptUser(): number | undefined {
  const [, user_id] = kept()?.split(" ") ?? [];
  return user_id ? Number(user_id) : undefined;
}

/** Whether somebody was known here, in a session that is not the present one. */
export const isOfAnotherSession = (): boolean =>
  keptUser() !== undefined && knownUser() === undefined;

/** Contains the address of the view, to which the user returns. */
export function signInAddress(at: Pick<URL, "pathname" | "search" | "hash"> = location): string {
  const { pathname, search, hash } = at;
  return `/login/?next=${encodeURIComponent(pathname + search + hash)}`;
}

/** `why`: more of the address, by which the page there says what is over. */
export const goToSignIn = (why = ""): void => location.assign(signInAddress() + why);

function kept(): string | null {
  return attempt(() => localStorage.getItem(KNOWN)) ?? null;
}

/** Browsers may deny storage altogether. */
export function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** FNV-1a of 64 bits: it need not be secure, only other for each of a few sessions. */
function nameOf(text: string): string {
  let hash = OFFSET;
  for (const unit of text) hash = BigInt.asUintN(64, (hash ^ BigInt(unit.charCodeAt(0))) * PRIME);
  return hash.toString(36);
}
