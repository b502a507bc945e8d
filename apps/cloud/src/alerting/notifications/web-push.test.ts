import { createECDH, createPublicKey, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptPush, generatePushKeys, isPoint, pushAuthorization } from './web-push.ts';

const bytes = (text: string) => Buffer.from(text, 'base64url');

// Source: https://www.rfc-editor.org/rfc/rfc8291#appendix-A.
it('a message is encrypted as the example of RFC 8291', () => {
  const sender = createECDH('prime256v1');
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const subscription = {
    p256dh: bytes('BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };
  const message = Buffer.from('When I grow up, I want to be a watermelon');
  const encrypted = encryptPush(message, subscription, sender, bytes('DGv6ra1nlYgDCS1FRnbzlw'));
  expect(encrypted.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

it('the signature for a push service is of its origin, for half a day, and by the key beside it', () => {
  const keys = generatePushKeys();
  const now = Date.parse('2026-06-21T10:00:00Z');
  const header = pushAuthorization(
    'https://push.example.org/send/abc',
    keys,
    'https://cloud.example.org',
    now,
  );
  const [, content = '', head = '', claims = '', signature = '', key = ''] =
    /^vapid t=(([\w-]+)\.([\w-]+))\.([\w-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' });
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://push.example.org',
    exp: now / 1000 + 12 * 60 * 60,
    sub: 'https://cloud.example.org',
  });
  const point = bytes(key);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: `${x}`, y: `${y}` },
    format: 'jwk',
  });
  expect(
    verify('sha256', Buffer.from(content), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes(signature)),
  ).toBe(true);
});

it('a private key has 32 bytes, also where it begins with zeros', () => {
  // One of 256 does.
  const lengths = Array.from({ length: 2_000 }, () => generatePushKeys().privateKey.length);
  expect(new Set(lengths)).toEqual(new Set([32]));
});

it('bytes that are no point of the curve are found', () => {
  const { publicKey } = generatePushKeys();
  expect(isPoint(publicKey)).toBe(true);
  expect(isPoint(publicKey.subarray(0, 64))).toBe(false);
  expect(isPoint(Buffer.alloc(65, 4))).toBe(false);
});
