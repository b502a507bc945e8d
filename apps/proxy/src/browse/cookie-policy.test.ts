import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isNavigation, mayUseCookie } from './cookie-policy.ts';

const HOST = 'meadow.eu.example.org';
const HERE = `https://${HOST}`;

type Headers = Record<string, string>;
// The policy reads nothing else of a request.
const requested = (method: string, headers: Headers, host = HOST) =>
  ({ method, headers: { host, ...headers }, httpVersionMajor: 1 }) as unknown as IncomingMessage;
const from = (site: string, mode = 'cors', dest = 'empty'): Headers => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': mode,
  'sec-fetch-dest': dest,
});

describe('mayUseCookie', () => {
  const cases: [string, string, Headers, reads: boolean, changes: boolean][] = [
    ['a page of this host', HOST, { ...from('same-origin'), origin: HERE }, true, true],
    ['its script, which reads', HOST, from('same-origin'), true, true],
    ['its script in an older browser', HOST, { origin: HERE }, true, true],
    ['a page that hides where it is', HOST, { ...from('same-origin'), origin: 'null' }, true, true],
    ['a host with the usual port', `${HOST}:443`, { origin: HERE }, true, true],
    ['a host in capitals', 'MEADOW.eu.example.org', { origin: HERE }, true, true],
    ['another port', `${HOST}:8443`, { origin: `${HERE}:8443` }, true, true],
    ['the page of another port', HOST, { origin: `${HERE}:8443` }, true, false],
    ['the page of another scheme', HOST, { origin: `http://${HOST}` }, true, false],
    [
      'the page of another site',
      HOST,
      { ...from('same-site'), origin: 'https://evil.eu.example.org' },
      false,
      false,
    ],
    ['that of another region', HOST, { ...from('cross-site'), origin: 'https://evil.example' }, false, false],
    ['that in an older browser', HOST, { origin: 'https://evil.eu.example.org' }, true, false],
    ['a host that begins like it', HOST, { origin: `${HERE}.evil.example` }, true, false],
    ['a sandbox', HOST, { ...from('cross-site'), origin: 'null' }, false, false],
    ['a sandbox in an older browser', HOST, { origin: 'null' }, true, false],
    ['contradictions', HOST, { ...from('same-origin'), origin: 'https://evil.example' }, true, false],
    ['an origin that is none', HOST, { origin: 'meadow' }, true, false],
    ['an empty origin', HOST, { origin: '' }, true, false],
    ['a host that is none', 'a b', { origin: 'https://a b' }, true, false],
    ['no known site', HOST, {}, true, false],
    ['the address bar', HOST, from('none', 'navigate', 'document'), true, false],
    ['a link on another page', HOST, from('cross-site', 'navigate', 'document'), true, false],
    ['a link on another site of the region', HOST, from('same-site', 'navigate', 'document'), true, false],
    ['a frame in another site', HOST, from('same-site', 'navigate', 'iframe'), false, false],
    ['an object in another site', HOST, from('same-site', 'navigate', 'object'), false, false],
    ['a picture in another site', HOST, from('same-site', 'no-cors', 'image'), false, false],
  ];
  const clientAddress = { address: '192.0.2.1', scheme: 'https' } as const;

  test.each(cases)(
    'a request of %s (%s, %j) may read: %s, may write: %s',
    (_name, host, headers, reads, changes) => {
      for (const method of ['GET', 'HEAD']) {
        expect(mayUseCookie(requested(method, headers, host), clientAddress, false)).toBe(reads);
      }
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'get']) {
        expect(mayUseCookie(requested(method, headers, host), clientAddress, false)).toBe(changes);
      }
      for (const method of ['GET', 'CONNECT']) {
        expect(mayUseCookie(requested(method, headers, host), clientAddress, true)).toBe(changes);
      }
    },
  );

  test('a page that came over https where something before the proxy ended TLS', () => {
    const behind = { address: '192.0.2.1', scheme: 'http' } as const;
    for (const origin of [HERE, `http://${HOST}`]) {
      expect(mayUseCookie(requested('POST', { origin }), behind, false)).toBe(true);
    }
  });
});

describe('isNavigation', () => {
  const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';
  test.each([
    ['GET', { accept: HTML }, true],
    ['HEAD', { accept: 'text/html' }, true],
    ['GET', { accept: HTML, ...from('none', 'navigate', 'document') }, true],
    ['GET', { accept: HTML, ...from('same-origin') }, false],
    ['POST', { accept: HTML }, false],
    ['GET', { accept: '*/*' }, false],
    ['GET', { accept: 'application/json' }, false],
    ['GET', {}, false],
  ])('the request %s %j is a navigation: %s', (method, headers: Headers, expected) => {
    expect(isNavigation(requested(method, headers))).toBe(expected);
  });
});
