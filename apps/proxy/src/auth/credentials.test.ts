import { describe, expect, test } from 'vitest';
import { credentialsFromUpgrade } from './credentials.ts';

const ALL = { token: 't', siteId: '1', siteKey: 'k' };

describe('credentialsFromUpgrade', () => {
  test.each([
    '?token=t&site_id=1&site_key=k',
    '?token=t&site-id=1&site-key=k',
    '?token=t&Site-Id=1&SITE_KEY=k',
    '?vsn=2.0.0&site_key=k&site_id=1&token=t',
    '?token=t&site_id=1&site_id=2&site-id=3&site_key=k',
    '?token=t&site%5Fid=1&site_key=%6b',
  ])('all credentials are read from the query %s', (query) => {
    expect(credentialsFromUpgrade({}, `/api/websocket${query}`)).toEqual(ALL);
  });

  test('the query begins at the first question mark, as for the device', () => {
    const headers = { authorization: 'Bearer other', 'site-id': '1', 'site-key': 'k' };
    expect(credentialsFromUpgrade(headers, '/api/websocket?a=b?&token=t')).toEqual(ALL);
    expect(credentialsFromUpgrade(headers, '/api/websocket??token=t').token).toBe('other');
  });

  test('headers win over parameters except for the token', () => {
    const headers = { authorization: 'Bearer t', 'site-id': '1', 'site-key': 'k' };
    expect(credentialsFromUpgrade(headers, '/api/websocket?site_id=2&site_key=x')).toEqual(ALL);
    expect(credentialsFromUpgrade(headers, '/api/websocket?token=u')).toEqual({ ...ALL, token: 'u' });
    expect(credentialsFromUpgrade(headers, '/api/websocket?token=')).toEqual(ALL);
  });

  test('missing credentials are empty strings', () => {
    expect(credentialsFromUpgrade({}, '/api/websocket')).toEqual({ token: '', siteId: '', siteKey: '' });
  });

  test.each(['a%0A', '%0Da', 'a%20b', 'a%00', 'a%C3%A4'])('the token %s in a query is none', (token) => {
    const headers = { authorization: 'Bearer other' };
    expect(credentialsFromUpgrade(headers, `/api/websocket?token=${token}`).token).toBe('');
  });
});
