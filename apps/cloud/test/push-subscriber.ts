import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The byte before the padding of the last record (RFC 8188 section 2). */
const LAST_RECORD = 2;

/** A browser that subscribed to pushed messages, with its keys. */
export class PushSubscriber {
  readonly #pair = createECDH('prime256v1');
  readonly #auth = randomBytes(16);

  constructor() {
    this.#pair.generateKeys();
  }

  /** The keys of its subscription. */
  get keys(): { readonly p256dh: string; readonly auth: string } {
    return { p256dh: this.#pair.getPublicKey('base64url'), auth: this.#auth.toString('base64url') };
  }

  /** The text of a message, as a browser decrypts it (RFC 8291). @throws when it is for another one */
  decrypt(body: Buffer): string {
    const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
    const derive = (from: Buffer, by: Buffer, info: Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', from, by, info, length));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#pair.getPublicKey(), sender]);
    const secret = derive(this.#pair.computeSecret(sender), this.#auth, info, 32);
    const decipher = createDecipheriv(
      'aes-128-gcm',
      derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16),
      derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12),
    );
    decipher.setAuthTag(body.subarray(-16));
    const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
    if (text.at(-1) !== LAST_RECORD) throw new Error('the message is not its last record');
    return text.subarray(0, -1).toString();
  }
}
