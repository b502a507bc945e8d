import { describe, expect, it } from 'vitest';
import { baseOf, type DeviceAccess, headersOf, streamUrlOf } from './access.ts';

const proxy = (host: string): DeviceAccess => ({ host, token: 't', siteId: 7, siteKey: 'k' });

describe('the scheme of a proxy', () => {
  it.each([
    ['proxy.example.com', 'https://proxy.example.com'],
    ['proxy.example.com:8443', 'https://proxy.example.com:8443'],
    ['192.168.1.20:4001', 'https://192.168.1.20:4001'],
    ['1270.example.com', 'https://1270.example.com'],
    ['localhost.example.com', 'https://localhost.example.com'],
    ['127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
    ['localhost:4001', 'http://localhost:4001'],
    ['demo.localhost:4001', 'http://demo.localhost:4001'],
    ['127.0.0.1:4001', 'http://127.0.0.1:4001'],
    ['[::1]:4001', 'http://[::1]:4001'],
  ])('%s has the base URL %s', (host, base) => {
    expect(baseOf(proxy(host))).toBe(base);
  });

  it('an explicit scheme wins over the rule', () => {
    expect(baseOf({ ...proxy('192.168.1.20'), scheme: 'http' } as DeviceAccess)).toBe('http://192.168.1.20');
    expect(baseOf({ ...proxy('localhost'), scheme: 'https' } as DeviceAccess)).toBe('https://localhost');
  });
});

describe('credentials', () => {
  it.each<[string, DeviceAccess, Record<string, string>, string]>([
    [
      'of a proxy',
      proxy('p.example'),
      { authorization: 'Bearer t', 'site-id': '7', 'site-key': 'k' },
      'wss://p.example/api/websocket?vsn=2.0.0&token=t&site_id=7&site_key=k',
    ],
    [
      'of a password on the LAN',
      { address: '10.0.0.5:4002', password: 'a b&:ü' },
      { authorization: `Basic ${Buffer.from('admin:a b&:ü').toString('base64')}` },
      'ws://10.0.0.5:4002/api/websocket?vsn=2.0.0&password=a%20b%26%3A%C3%BC',
    ],
    [
      'of a token on the LAN',
      { address: 'solar.local', token: 't' },
      { authorization: 'Bearer t' },
      'ws://solar.local/api/websocket?vsn=2.0.0&token=t',
    ],
  ])('%s stand in the headers of a request and in the query of a stream', (_what, access, headers, url) => {
    expect(headersOf(access)).toEqual(headers);
    expect(streamUrlOf(access)).toBe(url);
  });
});
