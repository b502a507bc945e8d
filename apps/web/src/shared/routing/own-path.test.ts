import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ownPath, signInPath } from './own-path.ts';

const at = (url: string): void => {
  vi.stubGlobal('location', new URL(url));
};

describe('where a link may lead after signing in', () => {
  beforeEach(() => at('https://sun.example/sign_in'));
  afterEach(() => vi.unstubAllGlobals());

  it.each(['/history?topic=a%2Fb&range=week', '/sites/7#people', '/'])('%s is one of our pages', (path) => {
    expect(ownPath(path, '/home')).toBe(path);
  });

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
  ])('%s is not', (wanted) => expect(ownPath(wanted, '/home')).toBe('/home'));

  it('is never another origin, whatever the link says', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.string(), (url, text) => {
        for (const wanted of [url, text, `/${text}`, `/${url}`]) {
          const { origin } = new URL(ownPath(wanted, '/home'), 'https://sun.example');
          expect(origin).toBe('https://sun.example');
        }
      }),
    );
  });

  it('is where the visitor was', () => {
    at('https://sun.example/sites/7?a=1#b');
    const back = new URL(signInPath(), 'https://sun.example').searchParams.get('return_to');
    expect(ownPath(back, '/home')).toBe('/sites/7?a=1#b');
    at('https://sun.example/');
    expect(signInPath()).toBe('/sign_in');
  });
});
