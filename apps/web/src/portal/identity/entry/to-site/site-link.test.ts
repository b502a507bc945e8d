import { describe, expect, it } from 'vitest';
import { callbackUrl, siteLink } from './site-link.ts';

describe('siteLink', () => {
  it('a link names the site, its region and a path', () => {
    const query = new URLSearchParams({ region: 'eu', return_to: '/power?day=1#top' });
    const named = { site: 'Home', region: 'eu', returnTo: '/power?day=1#top' };
    expect(siteLink('Home', query)).toEqual({ ...named, isRecovery: false });
    const bare = { site: 'home', region: '', returnTo: '/', isRecovery: false };
    expect(siteLink('home', new URLSearchParams())).toEqual(bare);
    const ofSupport = new URLSearchParams({ roles: 'recovery' });
    expect(siteLink('home', ofSupport)).toEqual({ ...bare, isRecovery: true });
  });

  it.each(['home user_id:1', '../x', '', 'a.b', 'x'.repeat(64)])(
    'a link with the name "%s" is invalid',
    (name) => {
      expect(siteLink(name, new URLSearchParams())).toBeUndefined();
      expect(siteLink('home', new URLSearchParams({ region: `${name} ` }))).toBeUndefined();
    },
  );

  it.each(['//evil.example/', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)'])(
    'a link with the return path %s leads to the first page',
    (wanted) => expect(siteLink('home', new URLSearchParams({ return_to: wanted }))?.returnTo).toBe('/'),
  );
});

it.each([
  ['home.eu.example.org', 'https://home.eu.example.org/callback?token=t&key=k&return_to=%2Fa%3Fb%3D1'],
  ['home.us.localhost:4001', 'http://home.us.localhost:4001/callback?token=t&key=k&return_to=%2Fa%3Fb%3D1'],
  ['127.0.0.1:4001', 'http://127.0.0.1:4001/callback?token=t&key=k&return_to=%2Fa%3Fb%3D1'],
  ['localhost.example.org', 'https://localhost.example.org/callback?token=t&key=k&return_to=%2Fa%3Fb%3D1'],
])('the host %s has the callback %s', (host, address) => {
  expect(callbackUrl({ host, token: 't', key: 'k' }, '/a?b=1')).toBe(address);
});
