// What a password must be like.
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "../realm/settings.ts";

export function isPassword(password: string): boolean {
  const length = Array.from(password).length;
  return length >= PASSWORD_LENGTH_MIN && length <= PASSWORD_LENGTH_MAX;
}
