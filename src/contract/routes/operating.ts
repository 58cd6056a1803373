// Routes for operators and monitoring, and exports of the organization.
import { getAudit } from "../../features/audit/list.ts";
import { getBackups, postBackup } from "../../features/backup/api-outbound.ts";
import { getDoctor } from "../../features/doctor/run-checks.ts";
import { getNonce } from "../../features/doctor/nonce.ts";
import {
  deleteExport,
  downloadExport,
  getExports,
  postExport,
} from "../../features/moving/realm-export/actions.ts";
import {
  downloadImportReport,
  getImport,
  planUploadedImport,
  runUploadedImport,
  undoUploadedImport,
} from "../../features/moving/uploaded/api-jobs.ts";
import { getImportUsers, mapImportUser } from "../../features/moving/uploaded/mapped-users-jobs.ts";
import {
  addToImportUpload,
  beginImportUpload,
  deleteImportUpload,
} from "../../features/moving/uploaded/upload.ts";
import { health, livez, readyz } from "../../features/organization/health.ts";
import {
  administrators,
  administratorsAtBrowser,
  anyone,
  ownersAtBrowser,
} from "../../server/gate.ts";
import { DELETE, GET, PATCH, POST, type Route } from "../../server/routing.ts";

// prettier-ignore
export const operatingRoutes: readonly Route[] = [
  GET("root:/json/audit/", administratorsAtBrowser, getAudit),
  GET("root:/json/backups/", ownersAtBrowser, getBackups),
  POST("root:/json/backups/", ownersAtBrowser, postBackup),
  GET("/export/realm", administrators, getExports),
  POST("/export/realm", administrators, postExport),
  DELETE("/export/realm/{export_id}", administrators, deleteExport),
  GET("root:/exports/{key}/{file}", administrators, downloadExport),
  GET("root:/json/administration/import/", ownersAtBrowser, getImport),
  POST("root:/json/administration/import/upload/", ownersAtBrowser, beginImportUpload),
  PATCH("root:/json/administration/import/upload/", ownersAtBrowser, addToImportUpload),
  DELETE("root:/json/administration/import/upload/", ownersAtBrowser, deleteImportUpload),
  GET("root:/json/administration/import/users/", ownersAtBrowser, getImportUsers),
  PATCH("root:/json/administration/import/users/", ownersAtBrowser, mapImportUser),
  POST("root:/json/administration/import/plan/", ownersAtBrowser, planUploadedImport),
  POST("root:/json/administration/import/run/", ownersAtBrowser, runUploadedImport),
  GET("root:/json/administration/import/report/", ownersAtBrowser, downloadImportReport),
  POST("root:/json/administration/import/undo/", ownersAtBrowser, undoUploadedImport),
  GET("root:/json/doctor/", ownersAtBrowser, getDoctor),
  GET("root:/.well-known/skein-check/{nonce}", anyone, getNonce, "free"),
  GET("root:/livez", anyone, livez, "free"),
  GET("root:/readyz", anyone, readyz, "free"),
  GET("root:/health", anyone, health, "free"),
];
