// User roles and bot types, as numbers in the protocol and on disk.

export const OWNER = 100;

export const ADMINISTRATOR = 200;
export const MODERATOR = 300;
export const MEMBER = 400;
export const GUEST = 600;

export const GENERIC_BOT = 1;

export const INCOMING_WEBHOOK_BOT = 2;
export const OUTGOING_WEBHOOK_BOT = 3;
export const EMBEDDED_BOT = 4;

export const BOT_TYPES: readonly number[] = [
  GENERIC_BOT,
  INCOMING_WEBHOOK_BOT,
  OUTGOING_WEBHOOK_BOT,
  EMBEDDED_BOT,
];
