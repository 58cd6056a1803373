// An app that opens the browser to sign in: its one-time pad, and the key encrypted with it.

export const OTP = "0123456789abcdefABCDEF".padEnd(64, "5");

/** The key out of the address that opens the app. */
export function keyIn(location: string | null): string {
  const maskedKey = new URL(location!).searchParams.get("otp_encrypted_api_key")!;
  const digits = Array.from(
    maskedKey,
    (digit, index) => parseInt(digit, 16) ^ parseInt(OTP[index]!, 16),
  );
  return Buffer.from(digits.map((digit) => digit.toString(16)).join(""), "hex").toString("ascii");
}

/** Returns the owner of a key, according to the server. */
export async function ownerOf(url: string, email: string, key: string): Promise<unknown> {
  const headers = { Authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const response = await fetch(`${url}/api/v1/users/me`, { headers });
  return ((await response.json()) as { user_id?: number }).user_id;
}
