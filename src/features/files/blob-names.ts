// The names under which the bytes of a file are stored, derived from the secret in its URL.
import type { Reader } from "../../realm.ts";
import type { Attachment } from "../../schema/records-messages.ts";
import { REALM_ID } from "../realm/rules.ts";
import { addressName, isTranscoded } from "./rules.ts";

const SECRET_BYTES = 18;

/** Returns a new path. `isStrict`: with a file name in ASCII. */
export function newPathId(name: string, isStrict = false): string {
  const shard = Buffer.from(crypto.getRandomValues(new Uint8Array(1))).toString("hex");
  return `${REALM_ID}/${shard}/${secret()}/${addressName(name, isStrict)}`;
}

/** 24 URL-safe characters that cannot be guessed. */
export function secret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
}

/** The name of the draft that becomes the file. */
export function draftOf(path_id: string): string {
  return path_id.split("/")[2]!;
}

export function blobName(path_id: string): string {
  return `files/${keyOf(path_id)}`;
}

export function thumbnailPathOf(path_id: string): string {
  return `thumbnails/${keyOf(path_id)}`;
}

export function transcodedPathOf(path_id: string): string {
  return `transcoded/${keyOf(path_id)}`;
}

export function animatedPathOf(path_id: string): string {
  return `moving/${keyOf(path_id)}`;
}

/** All places of a file and of its derived files. */
export function blobNames({ path_id, content_type, image }: FileWithImage): string[] {
  const paths = [thumbnailPathOf(path_id), blobName(path_id)];
  if (isTranscoded(content_type)) paths.push(transcodedPathOf(path_id));
  if (image?.animated) paths.push(animatedPathOf(path_id));
  return paths;
}

type FileWithImage = Pick<Attachment, "path_id" | "content_type" | "image">;

/** Folders with the files and what was generated from them, each divided into shards. */
export const KINDS = ["files", "thumbnails", "transcoded", "moving"];

/** Whether a place belongs to a known file or its thumbnail. */
export function isOwned(reader: Reader, path: string): boolean {
  const [, shard, key] = path.split("/");
  const beginning = `${REALM_ID}/${shard}/${key}/`;
  const [file] = reader.attachments.scanIndex("path", [], { from: [beginning], limit: 1 });
  return file?.path_id.startsWith(beginning) === true;
}

function keyOf(path_id: string): string {
  const [, shard, key] = path_id.split("/");
  return `${shard}/${key}`;
}
