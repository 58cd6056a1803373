// Tables of the audit log.
import { table } from "../store/declare.ts";
import type { AuditPart, AuditRow } from "./records-audit.ts";

// prettier-ignore
export const auditTables = {
  audit: table<AuditRow>()({
    prefix: 175,
    key: ["audit_id"],
    fields: [
      "audit_id", "time", "act", "actor_id", "via", "on", "on_id", "facts", "words", "where",
      "before", "hash",
    ],
    indexes: {},
  }),
  /** Separate from the chain so that it can be erased: names, addresses and other texts. */
  audit_parts: table<AuditPart>()({
    prefix: 176,
    key: ["audit_id", "part"],
    fields: ["audit_id", "part", "user_id", "salt", "values"],
    indexes: {
      user: { prefix: 177, of: ({ user_id }) => (user_id === null ? undefined : [user_id]) },
    },
  }),
};
