import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  type ECDH,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

const CURVE = 'prime256v1';

/** Of one record, which is the whole message, in bytes. */
const RECORD_SIZE = 4_096;

/** Lifetime of a signature for a push service, in seconds; at most a day. */
const SIGNATURE_S = 12 * 60 * 60;

/** A key pair of the curve P-256. */
export interface PushKeyPair {
  /** An uncompressed point, 65 bytes. */
  readonly publicKey: Buffer;
  /** 32 bytes. */
  readonly privateKey: Buffer;
}

/** The keys of a browser's subscription. */
export interface SubscriptionKeys {
  /** An uncompressed point, 65 bytes. */
  readonly p256dh: Buffer;
  /** 16 bytes. */
  readonly auth: Buffer;
}

export function generatePushKeys(): PushKeyPair {
  const ecdh = createECDH(CURVE);
  const publicKey = ecdh.generateKeys();
  // Leading zeros are missing from what the platform gives.
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()]).subarray(-32) };
}

/** Whether bytes are a point of the curve, which a message can be encrypted for. */
export function isPoint(bytes: Buffer): boolean {
  try {
    const ecdh = createECDH(CURVE);
    ecdh.generateKeys();
    ecdh.computeSecret(bytes);
    return bytes.length === 65;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message so that the browser alone can read it (RFC 8291, with the encoding aes128gcm of RFC 8188).
 *
 *     16 bytes salt | 4 bytes record size | 1 byte length of the key | 65 bytes public key | ciphertext | 16 bytes tag
 *
 * @param sender a key pair for this message alone; @param salt 16 bytes; both are random but in tests
 */
export function encryptPush(
  message: Buffer,
  { p256dh, auth }: SubscriptionKeys,
  sender: ECDH = generated(),
  salt = randomBytes(16),
): Buffer {
  const publicKey = sender.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey]);
  const secret = derive(sender.computeSecret(p256dh), auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 ends the last record.
  const text = Buffer.concat([cipher.update(message), cipher.update(Buffer.of(2)), cipher.final()]);
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(RECORD_SIZE, 16);
  head.writeUInt8(publicKey.length, 20);
  return Buffer.concat([head, publicKey, text, cipher.getAuthTag()]);
}

/**
 * The header by which a push service recognizes this service (RFC 8292).
 *
 * @param contact https or mailto address of the service
 */
export function pushAuthorization(
  endpoint: string,
  { publicKey, privateKey }: PushKeyPair,
  contact: string,
  nowMs: number,
): string {
  const expiresAt = Math.floor(nowMs / 1000) + SIGNATURE_S;
  const claims = { aud: new URL(endpoint).origin, exp: expiresAt, sub: contact };
  const content = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign('sha256', Buffer.from(content), {
    key: privateKeyOf(publicKey, privateKey),
    dsaEncoding: 'ieee-p1363',
  });
  return `vapid t=${content}.${signature.toString('base64url')}, k=${publicKey.toString('base64url')}`;
}

function privateKeyOf(publicKey: Buffer, privateKey: Buffer): KeyObject {
  const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map((part) =>
    part.toString('base64url'),
  );
  const d = privateKey.toString('base64url');
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}`, d }, format: 'jwk' });
}

function generated(): ECDH {
  const ecdh = createECDH(CURVE);
  ecdh.generateKeys();
  return ecdh;
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
