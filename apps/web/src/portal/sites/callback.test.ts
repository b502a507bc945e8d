import { describe, expect, it } from 'vitest';
import { callbackOf } from './callback.ts';

const SITE = 'https://meadow.us.example.org';

describe('the way back to a device', () => {
  it('carries the token, and what the link had', () => {
    expect(callbackOf('http://192.168.1.7/callback?return_to=%2Flog', 'a.b.c', SITE)).toEqual({
      href: 'http://192.168.1.7/callback?return_to=%2Flog&token=a.b.c',
      host: '192.168.1.7',
      isTrusted: true,
    });
  });

  it.each([
    'http://10.0.0.7/callback',
    'http://172.16.0.1/callback',
    'http://172.31.255.1:8080/callback',
    'http://169.254.7.7/callback',
    'http://127.0.0.1:4002/callback',
    // However it is written.
    'http://0x0a000007/callback',
    'http://heliograph.local/callback',
    'http://[fd12:3456::7]/callback',
    'http://[fe80::1]/callback',
    'http://[::1]/callback',
    `${SITE}/callback`,
  ])('is gone at once to %s', (wanted) => {
    expect(callbackOf(wanted, 't', SITE)?.isTrusted).toBe(true);
  });

  it.each([
    'https://example.com/callback',
    'http://172.32.0.1/callback',
    'http://172.15.0.1/callback',
    'http://192.169.1.1/callback',
    'http://8.8.8.8/callback',
    'http://10.example.com/callback',
    'http://local/callback',
    'https://evil-local/callback',
    'http://fd12.example.com/callback',
    'http://[2001:db8::1]/callback',
    // The site by another scheme or port is another place.
    'http://meadow.us.example.org/callback',
    'https://meadow.us.example.org:8443/callback',
    'https://meadow.us.example.org.evil.example/callback',
  ])('is asked about to %s', (wanted) => {
    expect(callbackOf(wanted, 't', SITE)?.isTrusted).toBe(false);
  });

  it.each([
    null,
    '',
    '/callback',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://10.0.0.7/',
    'com.example.app:/callback',
    'http://somebody@10.0.0.7/callback',
    'http://10.0.0.7:secret@example.com/callback',
  ])('is none with %s', (wanted) => {
    expect(callbackOf(wanted, 't', SITE)).toBeUndefined();
  });

  it('is none without a token', () => {
    expect(callbackOf('http://10.0.0.7/callback', undefined, SITE)).toBeUndefined();
  });

  it('trusts no site that has no address', () => {
    expect(callbackOf(`${SITE}/callback`, 't', null)?.isTrusted).toBe(false);
  });
});
