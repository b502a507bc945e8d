import { describe, expect, it } from 'vitest';
import { readPushMessage } from './push-message.ts';

const ORIGIN = 'https://solar.example';
const read = (message: unknown) => readPushMessage(JSON.stringify(message), ORIGIN);

describe('readPushMessage', () => {
  it('a message has its title, text, path, tag and count', () => {
    expect(
      read({
        title: 'Barn',
        body: 'Battery 1 is nearly empty',
        url: '/sites/7/alerts#12',
        tag: 'alert-12',
        badge: 3,
        severity: 'critical',
      }),
    ).toEqual({
      title: 'Barn',
      body: 'Battery 1 is nearly empty',
      path: '/sites/7/alerts#12',
      tag: 'alert-12',
      badge: 3,
      isCritical: true,
    });
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'data:text/html,hello',
    `${ORIGIN}.evil.example/`,
    'https://',
    7,
    null,
  ])('the address %j is replaced by that of the alerts', (url) => {
    expect(read({ title: 'Barn', url }).path).toBe('/alerts');
  });

  it('an address with the origin of the pages is its path', () => {
    expect(read({ url: `${ORIGIN}/sites/7?tab=1` }).path).toBe('/sites/7?tab=1');
  });

  it.each(['', 'null', '7', '[]', '{', '{"title":7,"body":null,"badge":-1,"tag":""}', '{"badge":1.5}'])(
    'a message of %j has the name of the service',
    (text) => {
      expect(readPushMessage(text, ORIGIN)).toEqual({
        title: 'Heliograph',
        body: '',
        path: '/alerts',
        tag: undefined,
        badge: undefined,
        isCritical: false,
      });
    },
  );
});
