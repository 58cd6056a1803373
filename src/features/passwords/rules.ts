// What a password must be like.

export function isPassword(password: string): boolean {
  const length = Array.from(password).length;
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}

export const PASSWORD_LENGTH_MIN = 6;

export const PASSWORD_LENGTH_MAX = 100;
export const PASSWORD_GUESSES_MIN = 10_000;
