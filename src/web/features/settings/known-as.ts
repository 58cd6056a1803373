// The names that pages of settings have in addresses of other clients of the protocol.
const OF_PAGE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  settings: {
    "account-and-privacy": "account",
    "alert-words": "lists",
    "display-settings": "preferences",
    "muted-users": "lists",
    topics: "lists",
    "uploaded-files": "files",
    "your-account": "profile",
    "your-bots": "bots",
  },
  organization: {
    "auth-methods": "sign-in",
    bots: "people",
    "bot-list-admin": "people",
    "data-exports-admin": "exports",
    "deactivated-users-admin": "people",
    "default-channels-list": "channels",
    "default-streams-list": "channels",
    "emoji-settings": "emoji",
    "filter-settings": "linkifiers",
    "invites-list-admin": "invitations",
    "linkifier-settings": "linkifiers",
    "organization-level-user-defaults": "newcomers",
    "organization-permissions": "permissions",
    "organization-profile": "profile",
    "organization-settings": "messages",
    "playground-settings": "playgrounds",
    "profile-field-settings": "fields",
    "user-list-admin": "people",
    users: "people",
  },
};

/** `page` is the part of an address before `name`; what has no other name keeps its own. */
export const partNamed = (page: string, name: string): string => OF_PAGE[page]?.[name] ?? name;
