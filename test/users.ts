// The users of the test server, the same in every test, identified by first name.

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest. */
export const CAST = {
  olga: { full_name: "Olga Owner", role: 100 },
  ada: { full_name: "Ada Admin", role: 200 },
  mo: { full_name: "Mo Moderator", role: 300 },
  bo: { full_name: "Bo Member", role: 400 },
  cy: { full_name: "Cy Member", role: 400 },
  gus: { full_name: "Gus Guest", role: 600 },
  bot: { full_name: "Botty", role: 400 },
} as const;

export type Name = keyof typeof CAST;

export const emailOf = (name: Name) =>
  name === "bot" ? "botty-bot@chat.example" : `${name}@example.com`;
