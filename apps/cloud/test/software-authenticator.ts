import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
} from 'node:crypto';
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@heliograph/contracts';

/** Flags of authenticator data (WebAuthn Level 3, 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL_DATA = 0x40;

interface Credential {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: JsonWebKey;
  counter: number;
}

interface Behaviour {
  /** Origin of the page; by default that of the relying party in tests. */
  readonly origin?: string;
  /** Whether the person proves to the authenticator who they are. */
  readonly verifiesUser?: boolean;
}

interface Creation extends Behaviour {
  /** Bytes of the credential's id. */
  readonly idLength?: number;
}

/** An authenticator in software that really signs (ES256), with attestation "none". */
export class SoftwareAuthenticator {
  readonly #credentials: Credential[];
  readonly #origin: string;

  /** @param origin of the page */
  constructor(origin: string, credentials: readonly Credential[] = []) {
    this.#origin = origin;
    this.#credentials = credentials.map((credential) => ({ ...credential }));
  }

  /** Another authenticator with the same keys and counters. */
  clone(): SoftwareAuthenticator {
    return new SoftwareAuthenticator(this.#origin, this.#credentials);
  }

  /** The result of `navigator.credentials.create`. */
  create(
    options: PasskeyCreationOptions,
    { origin = this.#origin, verifiesUser = true, idLength = 32 }: Creation = {},
  ): PasskeyRegistration {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(idLength);
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE_Key (RFC 9053): kty EC2, alg ES256, crv P-256.
    const coseKey = cborMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
    const authData = Buffer.concat([
      authenticatorData(options.rp.id, flagsOf(verifiesUser) | ATTESTED_CREDENTIAL_DATA, 0),
      attested,
    ]);
    this.#credentials.push({
      id,
      rpId: options.rp.id,
      userHandle: options.user.id,
      privateKey: privateKey.export({ format: 'jwk' }),
      counter: 0,
    });
    return {
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, origin).toString('base64url'),
        attestationObject: cborMap([
          ['fmt', 'none'],
          ['attStmt', cborMap([])],
          ['authData', authData],
        ]).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** The result of `navigator.credentials.get`. */
  get(
    options: PasskeyRequestOptions,
    { origin = this.#origin, verifiesUser = true }: Behaviour = {},
  ): PasskeyAssertion {
    const allowed = options.allowCredentials.map(({ id }) => id);
    const credential = this.#credentials.find(
      ({ id, rpId }) =>
        rpId === options.rpId && (allowed.length === 0 || allowed.includes(id.toString('base64url'))),
    );
    if (credential === undefined) throw new Error('The authenticator has no such credential');
    return this.sign(credential, options.challenge, { origin, verifiesUser });
  }

  /** Signs with its only credential, whatever the options allow. */
  answer(challenge: string): PasskeyAssertion {
    const [credential] = this.#credentials;
    if (credential === undefined) throw new Error('The authenticator has no credential');
    return this.sign(credential, challenge, { origin: this.#origin, verifiesUser: true });
  }

  private sign(
    credential: Credential,
    challenge: string,
    { origin, verifiesUser }: Required<Behaviour>,
  ): PasskeyAssertion {
    credential.counter += 1;
    const data = authenticatorData(credential.rpId, flagsOf(verifiesUser), credential.counter);
    const client = clientData('webauthn.get', challenge, origin);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    const key = createPrivateKey({ key: credential.privateKey, format: 'jwk' });
    const id = credential.id.toString('base64url');
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, key).toString('base64url'),
        userHandle: credential.userHandle,
      },
    };
  }
}

function flagsOf(verifiesUser: boolean): number {
  return USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
}

/** 32 bytes SHA-256 of the relying party's id | flags | 4 bytes counter. */
function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** Encoded CBOR (RFC 8949): numbers, texts and byte strings; a Buffer is taken as encoded already. */
function cborMap(entries: readonly (readonly [number | string, number | string | Buffer])[]): Buffer {
  const encoded = entries.flatMap(([key, value]) => [cborItem(key), cborItem(value)]);
  return Object.assign(Buffer.concat([cborHead(5, entries.length), ...encoded]), { isCbor: true });
}

function cborItem(value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
  return 'isCbor' in value ? value : Buffer.concat([cborHead(2, value.length), value]);
}

/** The major type and the length or value, of at most two bytes. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
