// The fields of a Microsoft Teams data export that an import reads; every one may be absent.
import type { Shape } from "../json-fields.ts";

export interface TeamsUser {
  Id?: string;
  DisplayName?: string;
  Mail?: string;
  UserPrincipalName?: string;
  JobTitle?: string;
}

export const USER: Shape = {
  Id: "text",
  DisplayName: "text",
  Mail: "text",
  UserPrincipalName: "text",
  JobTitle: "text",
};

/** A row of the list of teams, or of their settings. */
export interface TeamsTeam {
  Id?: string;
  GroupsId?: string;
  Name?: string;
  DisplayName?: string;
  Privacy?: string;
  Visibility?: string;
  InternalId?: string;
  Description?: string;
  IsArchived?: boolean;
}

export const TEAM: Shape = {
  Id: "text",
  GroupsId: "text",
  Name: "text",
  DisplayName: "text",
  Privacy: "text",
  Visibility: "text",
  InternalId: "text",
  Description: "text",
  IsArchived: "bool",
};

export interface TeamsChannel {
  Id?: string;
  DisplayName?: string;
  Description?: string;
  CreatedDateTime?: string;
  MembershipType?: string;
  IsArchived?: boolean;
}

export const CHANNEL: Shape = {
  Id: "text",
  DisplayName: "text",
  Description: "text",
  CreatedDateTime: "text",
  MembershipType: "text",
  IsArchived: "bool",
};

export const MEMBER: Shape = { UserId: "text" };

interface Identity {
  Id?: string;
  DisplayName?: string;
}

const IDENTITY: Shape = { Id: "text", DisplayName: "text" };

export interface TeamsAttachment {
  Id?: string;
  ContentType?: string;
  ContentUrl?: string;
  /** JSON. */
  Content?: string;
  Name?: string;
}

export interface TeamsMention {
  Id?: number;
  Mentioned?: { User?: Identity; Application?: Identity; Conversation?: Identity };
  MentionText?: string;
}

export interface TeamsMessage {
  Id?: string;
  ReplyToId?: string;
  Subject?: string;
  Importance?: string;
  Body?: { ContentType?: string; Content?: string };
  From?: { User?: Identity & { TenantId?: string }; Application?: Identity };
  CreatedDateTime?: string;
  LastEditedDateTime?: string;
  DeletedDateTime?: string;
  Attachments?: TeamsAttachment[];
  Mentions?: TeamsMention[];
  Reactions?: { ReactionType?: string; User?: { User?: Identity } }[];
  MessageType?: string;
  ChannelIdentity?: { ChannelId?: string };
  ChatId?: string;
}

export const MESSAGE: Shape = {
  Id: "text",
  ReplyToId: "text",
  Subject: "text",
  Importance: "text",
  Body: { ContentType: "text", Content: "text" },
  From: { User: { Id: "text", DisplayName: "text", TenantId: "text" }, Application: IDENTITY },
  CreatedDateTime: "text",
  LastEditedDateTime: "text",
  DeletedDateTime: "text",
  Attachments: [
    { Id: "text", ContentType: "text", ContentUrl: "text", Content: "text", Name: "text" },
  ],
  Mentions: [
    {
      Id: "number",
      Mentioned: { User: IDENTITY, Application: IDENTITY, Conversation: IDENTITY },
      MentionText: "text",
    },
  ],
  Reactions: [{ ReactionType: "text", User: { User: IDENTITY } }],
  MessageType: "text",
  ChannelIdentity: { ChannelId: "text" },
  ChatId: "text",
};
