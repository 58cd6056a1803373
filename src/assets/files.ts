// The interface of the web client's files to the server.

/** A file of the client. It never changes. */
export interface ClientFile {
  readonly type: string;
  /** Hash of the content, with the quotation marks of an `ETag`. */
  readonly etag: string;
  /** The content in an encoding, if available. `identity` always is. */
  bytes(encoding: Encoding): Bytes | undefined;
}

export type Bytes = Uint8Array<ArrayBuffer>;

export type Encoding = "br" | "gzip" | "identity";

export interface Client {
  /** The file at a path, including files of earlier builds in this process. */
  fileAt(path: string): Promise<ClientFile | undefined>;
}
