/** The tables of an organization in Zulip, by the columns of each version. */

export const VERSIONS = ["2.1", "5", "9", "12"] as const;
export type Version = (typeof VERSIONS)[number];
export type Tables = Record<string, Record<string, unknown>[]>;
export type Files = Record<string, string | Uint8Array>;

export const [OLGA, ADA, BO, GUS, DORA, ROBO, DUMMY] = [10, 11, 12, 13, 14, 15, 16] as const;
export const [GENERAL, SECRET, NEWS, OLD] = [20, 21, 22, 23] as const;
export const REALM = 2;
export const START = 1_500_000_000;
export const FILE = `${REALM}/ab/AbCdEfGhIjKlMnOpQrStUvWx/plan.txt`;
export const FILE_BYTES = "the whole plan";

export const isAtLeast = (version: Version, first: Version) =>
  VERSIONS.indexOf(version) >= VERSIONS.indexOf(first);

export function realmTables(version: Version): Tables {
  const policies = isAtLeast(version, "9")
    ? { can_create_public_channel_group: 104, can_add_custom_emoji_group: 120 }
    : { create_stream_policy: 2, add_emoji_by_admins_only: true, private_message_policy: 1 };
  const realm = {
    id: REALM,
    string_id: "acme",
    name: "Acme",
    description: "We make *things*.",
    date_created: START - 1000.5,
    icon_source: "U",
    default_language: "de",
    waiting_period_threshold: 3,
    message_retention_days: isAtLeast(version, "5") ? -1 : null,
    message_content_edit_limit_seconds: 1200,
    digest_weekday: 2,
    video_chat_provider: 0,
    authentication_methods: 4,
    email_address_visibility: 3,
    ...(isAtLeast(version, "12")
      ? { new_stream_announcements_stream: GENERAL, topics_policy: 3 }
      : { notifications_stream: GENERAL, mandatory_topics: true }),
    ...policies,
  };
  return {
    zerver_realm: [realm],
    zerver_realmdomain: [{ id: 1, domain: "Example.com", allow_subdomains: true }],
    zerver_realmemoji: [
      { id: 1, name: "parrot", author: OLGA, file_name: "1.png", deactivated: false },
    ],
    zerver_realmfilter: [
      isAtLeast(version, "9")
        ? { id: 3, pattern: "#(?P<id>[0-9]+)", url_template: "https://bugs.example/{id}", order: 0 }
        : { id: 3, pattern: "#(?P<id>[0-9]+)", url_format_string: "https://bugs.example/%(id)s" },
    ],
    zerver_realmplayground: [],
    zerver_customprofilefield: [
      { id: 4, field_type: 1, name: "Role", hint: "what you do", order: 1, field_data: "" },
    ],
    zerver_customprofilefieldvalue: [{ id: 1, user_profile: BO, field: 4, value: "*cook*" }],
    zerver_defaultstream: [{ id: 1, realm: REALM, stream: GENERAL }],
    zerver_realmuserdefault: isAtLeast(version, "5")
      ? [{ id: 1, twenty_four_hour_time: true }]
      : [],
    zerver_client: [{ id: 1, name: "website" }],
    zerver_useractivity: [{ id: 1, user_profile: BO }],
    ...groupTables(version),
    ...(isAtLeast(version, "12") && {
      zerver_channelfolder: [
        { id: 5, name: "Team", description: "our *channels*", order: 1, date_created: START },
      ],
      zerver_navigationview: [{ id: 1, user: BO, fragment: "inbox", is_pinned: true }],
      zerver_savedsnippet: [
        { id: 6, user_profile: BO, title: "Hi", content: "hello", date_created: START },
      ],
    }),
  };
}

const ROLES = [
  "role:internet",
  "role:everyone",
  "role:members",
  "role:fullmembers",
  "role:administrators",
  "role:owners",
  "role:moderators",
  "role:nobody",
];

/** System groups are 100 …, Cooks is 110 with its subgroup 111, and 120 is of a setting. */
function groupTables(version: Version): Tables {
  const cooks = { name: "Cooks", description: "who cook" };
  const bakers = { name: "Bakers", description: "who bake" };
  const members = [
    { id: 1, user_group: 110, user_profile: BO },
    { id: 2, user_group: 111, user_profile: ADA },
  ];
  if (version === "2.1") {
    const zerver_usergroup = [
      { id: 110, ...cooks },
      { id: 111, ...bakers },
    ];
    return { zerver_usergroup, zerver_usergroupmembership: members };
  }
  const nested = [{ id: 1, supergroup: 110, subgroup: 111 }];
  if (version === "5") {
    const systems = ROLES.slice(0, 7).map((name, index) => {
      return { id: 100 + index, name: `@${name}`, description: "", is_system_group: true };
    });
    return {
      zerver_usergroup: [
        ...systems,
        { id: 110, ...cooks, is_system_group: false },
        { id: 111, ...bakers, is_system_group: false },
      ],
      zerver_usergroupmembership: members,
      zerver_groupgroupmembership: nested,
    };
  }
  return {
    zerver_usergroup: [...ROLES.map((_, index) => 100 + index), 110, 111, 120].map((id) => ({
      id,
    })),
    zerver_namedusergroup: [
      ...ROLES.map((name, index) => {
        return { usergroup_ptr: 100 + index, name, description: "", is_system_group: true };
      }),
      { usergroup_ptr: 110, ...cooks, creator: OLGA, can_mention_group: 102 },
      { usergroup_ptr: 111, ...bakers, creator: OLGA, deactivated: false },
    ],
    zerver_usergroupmembership: [...members, { id: 3, user_group: 120, user_profile: BO }],
    zerver_groupgroupmembership: [...nested, { id: 2, supergroup: 120, subgroup: 104 }],
  };
}

export function userTables(version: Version): Tables {
  const user = (id: number, name: string, role: number, extra: object = {}) => ({
    id,
    full_name: name,
    email: `user${id}@acme.example`,
    delivery_email: `${name.split(" ")[0]!.toLowerCase()}@example.com`,
    role: version === "2.1" && role === 100 ? 200 : role,
    is_active: true,
    is_bot: false,
    is_mirror_dummy: false,
    date_joined: START - 500.25,
    timezone: "Europe/Berlin",
    avatar_source: id === OLGA ? "U" : "G",
    avatar_version: 3,
    twenty_four_hour_time: true,
    groups: [],
    user_permissions: [],
    ...(isAtLeast(version, "9") ? { color_scheme: 2 } : { night_mode: true }),
    ...extra,
  });
  const words = version === "2.1" ? { alert_words: '["Lantern"]' } : {};
  return {
    zerver_userprofile: [
      user(OLGA, "Olga Owner", 100),
      user(ADA, "Ada Admin", 200),
      user(BO, "Bo Member", 400, words),
      user(GUS, "Gus Guest", 600),
      user(DORA, "Dora Gone", 200, { is_active: false }),
      user(ROBO, "Robo", 400, {
        ...{ is_bot: true, bot_type: 3, bot_owner: BO, delivery_email: "robo-bot@acme.example" },
      }),
    ],
    zerver_userprofile_mirrordummy: [
      user(DUMMY, "Mia Mirror", 100, { is_mirror_dummy: true, is_active: false }),
    ],
    zerver_userprofile_crossrealm: [
      { id: 6, email: "notification-bot@zulip.com", recipient_id: 1 },
      { id: 7, email: "welcome-bot@zulip.com", recipient_id: 2 },
    ],
    zerver_service: [
      {
        ...{ id: 1, user_profile: ROBO, name: "hook", base_url: "https://hook.example/x" },
        ...{ interface: 1, token: "a secret token" },
      },
    ],
    zerver_muteduser: [{ id: 1, user_profile: BO, muted_user: GUS, date_muted: START }],
    zerver_alertword: version === "2.1" ? [] : [{ id: 1, user_profile: BO, word: "Lantern" }],
    zerver_userstatus: [{ id: 1, user_profile: ADA, status_text: "at sea", timestamp: START }],
    [version === "2.1" ? "zerver_mutedtopic" : "zerver_usertopic"]: [
      {
        ...{ id: 1, user_profile: BO, stream: GENERAL, recipient: 220, topic_name: "noise" },
        ...(version === "2.1"
          ? { date_muted: START }
          : { visibility_policy: 1, last_updated: START }),
      },
    ],
  };
}

export function channelTables(version: Version): Tables {
  const stream = (id: number, name: string, extra: object = {}) => ({
    ...{ id, name, realm: REALM, description: `about ${name}`, date_created: START },
    ...{ invite_only: false, history_public_to_subscribers: true, deactivated: false },
    ...extra,
  });
  const recipients = [OLGA, ADA, BO, GUS, DORA, ROBO].map((id) => {
    return { id: 200 + id, type: 1, type_id: id };
  });
  const channels = [GENERAL, SECRET, NEWS, OLD];
  const sub = (user_profile: number, stream_id: number, extra: object = {}) => ({
    ...{ user_profile, recipient: 200 + stream_id, active: true, is_muted: false },
    ...{ color: "#76ce90", pin_to_top: user_profile === BO },
    ...extra,
  });
  return {
    zerver_stream: [
      stream(GENERAL, "general", { folder: 5, can_send_message_group: 101 }),
      stream(SECRET, "secret", { invite_only: true, history_public_to_subscribers: false }),
      stream(NEWS, "news", {
        ...{ is_web_public: true, stream_post_policy: 2, can_send_message_group: 104 },
      }),
      stream(OLD, "old", { deactivated: true }),
    ],
    zerver_huddle: [{ id: 1, huddle_hash: "x" }],
    zerver_recipient: [
      ...recipients,
      ...channels.map((id) => ({ id: 200 + id, type: 2, type_id: id })),
      { id: 300, type: 3, type_id: 1 },
      { id: 301, type: 3, type_id: 2 },
    ],
    zerver_subscription: [
      ...[OLGA, ADA, BO].map((id) => sub(id, GENERAL)),
      ...[OLGA, BO].map((id) => sub(id, SECRET)),
      sub(DORA, GENERAL),
      ...[OLGA, ADA, BO].map((id) => ({ user_profile: id, recipient: 300, active: true })),
      ...[OLGA, BO].map((id) => ({ user_profile: id, recipient: 301, active: true })),
    ],
    ...actsOf(),
    zerver_scheduledmessage: isAtLeast(version, "5")
      ? [
          {
            ...{ id: 8, sender: BO, recipient: 200 + GENERAL, subject: "later", content: "soon" },
            ...{ scheduled_timestamp: 4_000_000_000.5, delivered: false, delivery_type: 1 },
          },
        ]
      : [],
  };
}

/** Subscriptions and reactions. */
function actsOf(): Tables {
  const joins = [OLGA, ADA, BO].map((id, index) => ({
    ...{ id: index + 1, modified_user: id, modified_stream: GENERAL },
    ...{ event_type: 301, event_last_message_id: -1 },
  }));
  return {
    zerver_realmauditlog: [
      ...joins,
      { id: 4, modified_user: OLGA, modified_stream: SECRET, event_type: 301 },
      {
        ...{ id: 5, modified_user: BO, modified_stream: SECRET, event_type: 301 },
        event_last_message_id: 1004,
      },
      { id: 6, modified_user: DORA, modified_stream: GENERAL, event_type: 301 },
    ],
    zerver_reaction: [
      {
        ...{ id: 1, user_profile: BO, message: 1001, emoji_name: "parrot", emoji_code: "1" },
        reaction_type: "realm_emoji",
      },
      {
        ...{ id: 2, user_profile: ADA, message: 1001, emoji_name: "tada", emoji_code: "1f389" },
        reaction_type: "unicode_emoji",
      },
      {
        ...{ id: 3, user_profile: ADA, message: 1010, emoji_name: "zulip", emoji_code: "zulip" },
        reaction_type: "zulip_extra_emoji",
      },
    ],
  };
}
