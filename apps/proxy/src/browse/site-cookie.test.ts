import { describe, expect, test } from 'vitest';
import { deviceCookie, EXPIRED_SITE_COOKIE, parseCookies, SITE_COOKIE, siteCookie } from './site-cookie.ts';

const SITE = { siteId: '7', siteKey: 'k_-1', token: 'aaa.bbb.ccc' };
const OURS = `${SITE_COOKIE}=7~k_-1~aaa.bbb.ccc`;

describe('siteCookie and parseCookies', () => {
  test('the cookie is host-only, HttpOnly, SameSite and expires with its token', () => {
    expect(siteCookie(SITE, 60)).toBe(`${OURS}; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax`);
    expect(EXPIRED_SITE_COOKIE).toBe(`${SITE_COOKIE}=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax`);
  });

  test.each(['a;b', 'a b', 'a,b', 'ä', '', 'a\r\nb', 'a~b'])(
    'the cookie cannot hold the key %j',
    (siteKey) => {
      expect(siteCookie({ ...SITE, siteKey }, 60)).toBeUndefined();
    },
  );

  test.each([
    [undefined, { site: undefined, hasSiteCookie: false, others: undefined }],
    ['', { site: undefined, hasSiteCookie: false, others: undefined }],
    [OURS, { site: SITE, hasSiteCookie: true, others: undefined }],
    [`a=1; ${OURS}; b=2`, { site: SITE, hasSiteCookie: true, others: 'a=1; b=2' }],
    [`a=1;${OURS};;`, { site: SITE, hasSiteCookie: true, others: 'a=1' }],
    ['a=1; b', { site: undefined, hasSiteCookie: false, others: 'a=1; b' }],
    [`x${OURS}`, { site: undefined, hasSiteCookie: false, others: `x${OURS}` }],
    [`${SITE_COOKIE}=`, { site: undefined, hasSiteCookie: true, others: undefined }],
    [SITE_COOKIE, { site: undefined, hasSiteCookie: true, others: undefined }],
    [`${SITE_COOKIE}=7~k`, { site: undefined, hasSiteCookie: true, others: undefined }],
    [`${SITE_COOKIE}=7~k~"t"`, { site: undefined, hasSiteCookie: true, others: undefined }],
    [`${OURS}; ${SITE_COOKIE}=8~k~t`, { site: undefined, hasSiteCookie: true, others: undefined }],
    [OURS.toLowerCase(), { site: undefined, hasSiteCookie: true, others: undefined }],
    [`=${OURS}`, { site: undefined, hasSiteCookie: true, others: undefined }],
  ])('cookies are parsed from %j', (header, cookies) => {
    expect(parseCookies(header)).toEqual(cookies);
  });
});

describe('deviceCookie', () => {
  test.each([
    ['a=1', 'a=1'],
    ['a=1; Path=/x; HttpOnly', 'a=1; Path=/x; HttpOnly'],
    ['a=1; Domain=eu.example.org', 'a=1'],
    ['a=1; DOMAIN = .example.org ; Secure', 'a=1; Secure'],
    ['a=1; Domain', 'a=1'],
    ['a=1; Domain=a; domain=b; Path=/', 'a=1; Path=/'],
    ['a="x; Domain=y"', 'a="x'],
    ['domain=1; Path=/', 'domain=1; Path=/'],
    ['a=1; Domains=x', 'a=1; Domains=x'],
  ])("the device's cookie %s reaches the browser as %s", (header, allowed) => {
    expect(deviceCookie(header)).toBe(allowed);
  });

  test.each([
    `${OURS}; Path=/; Secure`,
    `${SITE_COOKIE}=; Max-Age=0; Path=/; Secure`,
    `  ${OURS}`,
    `\t${SITE_COOKIE} =x`,
    OURS.toUpperCase(),
    `=${OURS}`,
    ` = ${OURS}`,
    SITE_COOKIE,
  ])("the device's cookie %j cannot pose as the site cookie", (header) => {
    expect(deviceCookie(header)).toBeUndefined();
  });
});
