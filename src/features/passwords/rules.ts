// The rules for passwords.

export function isPassword(password: string): boolean {
  const length = Array.from(password).length;
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

export const PASSWORD_LENGTH_MIN = 6;

export const PASSWORD_LENGTH_MAX = 100;
export const PASSWORD_GUESSES_MIN = 10_000;
/** At ten guesses per second, an attack on the sign-in page takes years. */
export const STRONG_GUESSES_MIN = 10_000_000_000;

/** Weak passwords are rejected. */
export const PASSWORD_STRENGTHS = ["weak", "fair", "strong"] as const;
export type PasswordStrength = (typeof PASSWORD_STRENGTHS)[number];
