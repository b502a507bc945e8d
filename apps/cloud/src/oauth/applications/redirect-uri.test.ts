import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRedirectUri } from './redirect-uri.ts';
import { listedUris, redirectUriErrors } from './settings.ts';

it.each([
  'https://app.example.org',
  'https://app.example.org/',
  'https://app.example.org/signed-in/',
  'https://App.Example.org:8443/cb?tenant=7&next=/../a%2fb',
  'https://app.example.org:443/cb',
  'https://app.example.org/a%20b//c',
  "https://app.example.org/it's",
  'https://xn--bcher-kva.example/cb',
  'https://203.0.113.7/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:8080/cb',
  'com.example.app:/cb',
  'com.example.app://signed-in/cb',
])('the redirect URI %s is accepted', (uri) => {
  expect(readRedirectUri(uri).fault).toBeUndefined();
});

it.each([
  ['nothing', ''],
  ['a path', '/cb'],
  ['no scheme', '//app.example.org/cb'],
  ['a host alone', 'app.example.org/cb'],
  ['plain http', 'http://app.example.org/cb'],
  ['localhost as a subdomain of another host', 'http://localhost.example.org/cb'],
  ['loopback as a subdomain of another host', 'http://127.0.0.1.example.org/cb'],
  ['loopback in other digits', 'http://127.1/cb'],
  ['loopback as one number', 'http://2130706433/cb'],
  ['loopback in hexadecimal', 'http://0x7f.0.0.1/cb'],
  ['loopback written long', 'http://[0:0:0:0:0:0:0:1]/cb'],
  ['loopback mapped into IPv6', 'http://[::ffff:127.0.0.1]/cb'],
  ['an address in octal', 'https://0313.0.161.7/cb'],
  ['a user name', 'https://user@app.example.org/cb'],
  ['a user name that looks like the host', 'https://app.example.org@evil.example/cb'],
  ['a backslash before the host', 'https://app.example.org\\@evil.example/cb'],
  ['a backslash in the path', 'https://app.example.org/\\evil.example'],
  ['a host of encoded letters', 'https://%61pp.example.org/cb'],
  ['a host with other letters', 'https://аpp.example.org/cb'],
  ['a host of wide letters', 'https://ａpp.example.org/cb'],
  ['a host with a dot at its end', 'https://app.example.org./cb'],
  ['an empty port', 'https://app.example.org:/cb'],
  ['a port that there is not', 'https://app.example.org:99999/cb'],
  ['no host', 'https:///app.example.org/cb'],
  ['one slash', 'https:/app.example.org/cb'],
  ['no slash', 'http:localhost/cb'],
  ['a fragment', 'https://app.example.org/cb#here'],
  ['an empty fragment', 'https://app.example.org/cb#'],
  ['a wildcard for the host', 'https://*.example.org/cb'],
  ['a wildcard in the path', 'https://app.example.org/*'],
  ['a dot-segment', 'https://app.example.org/a/../cb'],
  ['an encoded dot-segment', 'https://app.example.org/a/%2e%2E/cb'],
  ['a single dot', 'https://app.example.org/./cb'],
  ['a dot-segment of an application', 'com.example.app:/a/../cb'],
  ['an encoded slash', 'https://app.example.org/a%2Fcb'],
  ['an encoded backslash', 'https://app.example.org/a%5ccb'],
  ['a line break', 'https://app.example.org/\r\ncb'],
  ['an encoded line break', 'https://app.example.org/cb?x=%0d%0aSet-Cookie:'],
  ['a tab', 'https://app.exam\tple.org/cb'],
  ['a space before', ' https://app.example.org/cb'],
  ['a space within', 'https://app.example.org/c b'],
  ['letters that are not ASCII', 'https://app.example.org/é'],
  ['half an escape', 'https://app.example.org/%zz'],
  ['a quote', 'https://app.example.org/"><script>'],
  ['a script', 'javascript:alert(1)'],
  ['a script of an application', 'javascript://app.example.org/%0aalert(1)'],
  ['data', 'data:text/html,hello'],
  ['a file', 'file:///etc/passwd'],
  ['a socket', 'wss://app.example.org/cb'],
  ['a page made of nothing', 'blob:https://app.example.org/1'],
  ['loopback in hexadecimal digits alone', 'http://0x7f000001/cb'],
  ['a host of two dots and three numbers', 'https://1.2.3/cb'],
  ['a host in hexadecimal', 'https://0x7f.1/cb'],
  ['an empty user name', 'https://@app.example.org/cb'],
  ['a user name before loopback', 'http://localhost@evil.example/cb'],
  ['a page of a cloud’s own network', 'http://169.254.169.254/latest'],
  ['a file transfer', 'ftp://app.example.org/'],
  ['a mail', 'mailto:ada@example.org'],
  ['an intent', 'intent://x#Intent;end'],
  ['a scheme without a dot', 'myapp:/cb'],
  ['a scheme of another program', 'steam://x'],
  ['a scheme with a plus', 'git+ssh://x'],
  ['a scheme of a page', 'web+foo.x:/cb'],
  ['a scheme of Windows', 'ms-settings.x:/cb'],
  ['a scheme of macOS', 'x-apple.systempreferences:/x'],
  ['the settings of Android', 'com.android.settings:/x'],
  ['the settings of iOS', 'com.apple.preferences://x'],
  ['the store of Windows', 'com.microsoft.store:/x'],
  ['a scheme with an empty label', 'com..example:/x'],
  ['a scheme that ends in a dot', 'com.example.:/x'],
  ['a scheme with a label that begins with a hyphen', 'com.-example:/x'],
  ['a scheme in capitals', 'COM.example.app:/x'],
  ['a scheme that begins with a digit', '1.example.app:/x'],
  ['a scheme of an application without a slash', 'com.example.app:cb'],
  ['a scheme and nothing else', 'com.example.app:'],
  ['a user name of an application', 'com.example.app://user@signed-in/cb'],
  ['too much', `https://app.example.org/${'x'.repeat(2000)}`],
])('a redirect URI that is %s is refused', (_what, uri) => {
  expect(readRedirectUri(uri).fault).toEqual(expect.any(String));
});

const some = (pieces: string, maxLength: number) =>
  fc.array(fc.constantFrom(...pieces.split(' ')), { maxLength }).map((chosen) => chosen.join(''));

/** Addresses of the pieces that such tricks are made of. */
const TRICKS = fc
  .tuple(
    fc.constantFrom(
      'https://',
      'HTTPS://',
      'http://',
      'https:',
      'com.example.app:',
      'com.example.app://',
      '//',
    ),
    some('app.example.org evil.example localhost 127.0.0.1 [::1] 0x7f.1 @ : \\ user 443 8080 . é', 3),
    some('/ // /cb . .. %2e %2f %5c %00 \\ @ ? # * é \t :', 5),
  )
  .map((parts) => parts.join(''));

it('no accepted redirect URI is read by a browser as another address', () => {
  let taken = 0;
  fc.assert(
    fc.property(TRICKS, (uri) => {
      if (readRedirectUri(uri).fault !== undefined) return;
      taken++;
      const { protocol, hostname, pathname, username, password, hash } = new URL(uri);
      expect([username, password, hash]).toEqual(['', '', '']);
      if (protocol.includes('.')) return;
      expect(protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)).toBe(true);
      const [origin = '', port = ''] = /^\w+:\/\/[^/?]*?(:\d+)?(?=[/?]|$)/.exec(uri) ?? [];
      expect(origin.toLowerCase()).toBe(`${protocol}//${hostname}${port}`);
      expect(uri.slice(origin.length).split('?')[0] || '/').toBe(pathname);
    }),
    { numRuns: 1_000 },
  );
  // About thirty; by chance it may be far fewer.
  expect(taken).toBeGreaterThan(3);
});

it('a list is read as it is, and text as one address a line', () => {
  expect(listedUris(['a', ' a', 'a'])).toEqual(['a', ' a']);
  expect(listedUris(' https://a.example/cb \r\n\n\thttps://b.example/cb\nhttps://a.example/cb')).toEqual([
    'https://a.example/cb',
    'https://b.example/cb',
  ]);
  expect(listedUris(' \n ')).toEqual([]);
});

it('twenty redirect URIs are accepted, and errors name the wrong ones', () => {
  const uris = Array.from({ length: 20 }, (_, index) => `https://app.example.org/${index}`);
  expect(redirectUriErrors(uris)).toEqual([]);
  expect(redirectUriErrors([...uris, 'https://app.example.org/more'])).toEqual(["can't be more than 20"]);
  expect(redirectUriErrors(['https://app.example.org/#', 'https://app.example.org/'])).toEqual([
    'must have no fragment: https://app.example.org/#',
  ]);
});
