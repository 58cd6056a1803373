// A security key in software: creates key pairs and signs challenges as WebAuthn requires.

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Options {
  readonly challenge: string;
}

interface CreatedCredential {
  readonly id: Buffer;
  readonly pair: CryptoKeyPair;
  count: number;
}

export class Authenticator {
  private readonly credentials: CreatedCredential[] = [];
  /** Whether the key verifies its user by PIN or fingerprint. */
  isVerifying = false;

  /** `counts`: whether it counts signatures. Many keys do not and always report 0. */
  constructor(
    private readonly origin: string,
    private readonly counts = true,
  ) {}

  /** The credential as a browser gives it to a page, in JSON. */
  async create({ challenge }: Options, origin = this.origin): Promise<string> {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const pair = (await crypto.subtle.generateKey(algorithm, true, ["sign"])) as CryptoKeyPair;
    const id = Buffer.from(crypto.getRandomValues(new Uint8Array(32)));
    const credential = { id, pair, count: 0 };
    this.credentials.push(credential);
    const length = Buffer.from([0, id.length]);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, await coseOf(pair.publicKey)]);
    const data = this.dataOf(credential, USER_PRESENT | HAS_CREDENTIAL, attested);
    return this.credential(id, {
      clientDataJSON: clientData("webauthn.create", challenge, origin),
      attestationObject: attestationOf(data),
      transports: ["usb"],
    });
  }

  /** Signs with the newest key. */
  async get({ challenge }: Options, origin = this.origin): Promise<string> {
    const credential = this.credentials.at(-1)!;
    if (this.counts) credential.count += 1;
    const data = this.dataOf(credential, USER_PRESENT | (this.isVerifying ? USER_VERIFIED : 0));
    const client = clientData("webauthn.get", challenge, origin);
    const signed = Buffer.concat([data, sha256(client)]);
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    const raw = await crypto.subtle.sign(algorithm, credential.pair.privateKey, signed);
    return this.credential(credential.id, {
      clientDataJSON: client,
      authenticatorData: data,
      signature: derOf(Buffer.from(raw)),
    });
  }

  /** Simulates a copy of the key whose counter has fallen behind. */
  rollBack(count: number): void {
    this.credentials.at(-1)!.count -= count;
  }

  private dataOf({ count }: CreatedCredential, flags: number, rest = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    const site = sha256(Buffer.from(new URL(this.origin).hostname));
    return Buffer.concat([site, Buffer.from([flags]), counter, rest]);
  }

  private credential(id: Buffer, response: Record<string, Buffer | string[]>): string {
    const received = Object.entries(response).map(([name, value]) => [
      name,
      Buffer.isBuffer(value) ? value.toString("base64url") : value,
    ]);
    const rawId = id.toString("base64url");
    return JSON.stringify({
      ...{ id: rawId, rawId, type: "public-key", clientExtensionResults: {} },
      response: Object.fromEntries(received),
    });
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

const sha256 = (bytes: Uint8Array) =>
  Buffer.from(new Bun.CryptoHasher("sha256").update(bytes).digest());

/** CBOR of `{fmt: "none", attStmt: {}, authData}`. */
function attestationOf(data: Buffer): Buffer {
  const text = (word: string) => Buffer.from([0x60 + word.length, ...Buffer.from(word)]);
  const length = Buffer.from([0x59, data.length >> 8, data.length & 0xff]);
  const empty = Buffer.from([0xa0]);
  const parts = [text("fmt"), text("none"), text("attStmt"), empty, text("authData"), length, data];
  return Buffer.concat([Buffer.from([0xa3]), ...parts]);
}

/** COSE of a public key for ES256, in CBOR. */
async function coseOf(key: CryptoKey): Promise<Buffer> {
  const { x, y } = await crypto.subtle.exportKey("jwk", key);
  const bytes = (part: string) =>
    Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(part, "base64url")]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, Buffer.from([0x21]), bytes(x!), Buffer.from([0x22]), bytes(y!)]);
}

/** ASN.1 of the two halves of a signature. */
function derOf(raw: Buffer): Buffer {
  const integer = (half: Buffer) => {
    const first = half.findIndex((byte) => byte !== 0);
    const withoutLeadingZeros = half.subarray(first < 0 ? half.length - 1 : first);
    const signed =
      withoutLeadingZeros[0]! >= 0x80
        ? Buffer.concat([Buffer.from([0]), withoutLeadingZeros])
        : withoutLeadingZeros;
    return Buffer.concat([Buffer.from([0x02, signed.length]), signed]);
  };
  const both = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))]);
  return Buffer.concat([Buffer.from([0x30, both.length]), both]);
}
