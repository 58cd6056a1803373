// Routes for operators and monitoring.
import { getAudit } from "../../features/audit/list.ts";
import { getBackups, postBackup } from "../../features/backup/shown-later.ts";
import { getDoctor } from "../../features/doctor/doctor-later.ts";
import { getNonce } from "../../features/doctor/nonce.ts";
import { health, livez, readyz } from "../../features/organization/health.ts";
import { administratorsAtBrowser, anyone, ownersAtBrowser } from "../../server/gate.ts";
import { GET, POST, type Route } from "../../server/routing.ts";

// prettier-ignore
export const operatingRoutes: readonly Route[] = [
  GET("root:/json/audit/", administratorsAtBrowser, getAudit),
  GET("root:/json/backups/", ownersAtBrowser, getBackups),
  POST("root:/json/backups/", ownersAtBrowser, postBackup),
  GET("root:/json/doctor/", ownersAtBrowser, getDoctor),
  GET("root:/.well-known/skein-check/{nonce}", anyone, getNonce, "free"),
  GET("root:/livez", anyone, livez, "free"),
  GET("root:/readyz", anyone, readyz, "free"),
  GET("root:/health", anyone, health, "free"),
];
