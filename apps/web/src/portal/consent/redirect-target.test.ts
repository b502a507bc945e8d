import { expect, it } from 'vitest';
import { redirectTarget } from './redirect-target.ts';

it.each([
  ['roof.example', { kind: 'host', host: 'roof.example' }],
  ['roof.example:8443', { kind: 'host', host: 'roof.example:8443' }],
  ['localhost.evil.example', { kind: 'host', host: 'localhost.evil.example' }],
  ['127.0.0.1:5173', { kind: 'computer' }],
  ['localhost', { kind: 'computer' }],
  ['[::1]:80', { kind: 'computer' }],
  ['com.example.roof:', { kind: 'app', scheme: 'com.example.roof:' }],
])('the host %s is the target %j', (host, place) => {
  expect(redirectTarget(host)).toEqual(place);
});
