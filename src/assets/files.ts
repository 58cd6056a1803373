// The files of the browser client, as whoever hands them out sees them.

/** A file of the client; it does not change while it is held. */
export interface ClientFile {
  readonly type: string;
  /** Of the contents; with the quotation marks of an `ETag`. */
  readonly etag: string;
  /** The contents in an encoding, if the file is kept in it; `identity` always is to be had. */
  bytes(encoding: Encoding): Bytes | undefined;
}

export type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = "br" | "gzip" | "identity";

export interface Client {
  /** What is at a path now, or was there while this process ran. */
  fileAt(path: string): Promise<ClientFile | undefined>;
}
