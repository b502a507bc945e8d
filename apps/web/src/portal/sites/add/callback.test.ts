import { describe, expect, it } from 'vitest';
import { callbackOf } from './callback.ts';

const SITE = 'https://meadow.us.example.org';

describe('callbackOf', () => {
  it('the callback carries the token and the query of the link', () => {
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
  ])('the address %s is trusted', (wanted) => {
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
  ])('the address %s requires a confirmation', (wanted) => {
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
  ])('the address %s receives no token', (wanted) => {
    expect(callbackOf(wanted, 't', SITE)).toBeUndefined();
  });

  it('a callback without a token is undefined', () => {
    expect(callbackOf('http://10.0.0.7/callback', undefined, SITE)).toBeUndefined();
  });

  it('a site without an address is not trusted', () => {
    expect(callbackOf(`${SITE}/callback`, 't', null)?.isTrusted).toBe(false);
  });
});
