import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownPath, signInPath } from './own-path.ts';

const at = (url: string): void => {
  vi.stubGlobal('location', new URL(url));
};

describe('ownPath', () => {
  beforeEach(() => at('https://sun.example/sign_in'));
  afterEach(() => vi.unstubAllGlobals());

  it.each(['/history?topic=a%2Fb&range=week', '/sites/7#people', '/'])(
    'the path %s is one of our pages',
    (path) => {
      expect(ownPath(path, '/home')).toBe(path);
    },
  );

  it.each([
    null,
    '',
    'sites',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/.//evil.example',
    '/sign_in?return_to=/sign_in',
  ])('the link %s leads to the fallback', (wanted) => expect(ownPath(wanted, '/home')).toBe('/home'));

  it('no link leads to another origin', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), (url, text) => {
        for (const wanted of [url, text, `/${text}`, `/${url}`]) {
          const { origin } = new URL(ownPath(wanted, '/home'), 'https://sun.example');
          expect(origin).toBe('https://sun.example');
        }
      }),
    );
  });

  it('the sign-in path returns to the current page', () => {
    at('https://sun.example/sites/7?a=1#b');
    const back = new URL(signInPath(), 'https://sun.example').searchParams.get('return_to');
    expect(ownPath(back, '/home')).toBe('/sites/7?a=1#b');
    at('https://sun.example/');
    expect(signInPath()).toBe('/sign_in');
  });
});
