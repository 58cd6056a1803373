// The limits of passkeys.

export const PASSKEYS_PER_USER_MAX = 20;
export const PASSKEY_NAME_LENGTH_MAX = 60;
