import { describe, expect, it } from 'vitest';
import type { RunFile } from './run-file.ts';
import { cloudSettings, lanSettings, proxySchemeOf } from './settings.ts';

const RUN: RunFile = {
  cloud: { url: 'http://127.0.0.1:4000' },
  proxy: { url: 'http://192.168.1.9:4001', host: '192.168.1.9:4001' },
  device: { url: 'http://127.0.0.1:4002', password: 'local' },
  account: { api_token: 'run-token' },
};

describe('cloudSettings', () => {
  it.each([
    ['is the running one', {}, RUN, 'http://127.0.0.1:4000', 'run-token'],
    [
      'is the one in the environment',
      { HELIOGRAPH_URL: 'https://c.example/', HELIOGRAPH_TOKEN: 't' },
      RUN,
      'https://c.example',
      't',
    ],
    ['is entered with another token', { HELIOGRAPH_TOKEN: 't' }, RUN, 'http://127.0.0.1:4000', 't'],
    [
      'is the running one by its URL',
      { HELIOGRAPH_URL: 'http://127.0.0.1:4000/' },
      RUN,
      'http://127.0.0.1:4000',
      'run-token',
    ],
    ['is the running one when variables are empty', { HELIOGRAPH_URL: '' }, RUN, RUN.cloud.url, 'run-token'],
  ])('%s', (_what, env, run, url, token) => {
    expect(cloudSettings(env, run)).toEqual({ url, token });
  });

  it.each([
    ['nothing is known', {}, null, /heliograph start/],
    [
      'the URL is none',
      { HELIOGRAPH_URL: 'cloud', HELIOGRAPH_TOKEN: 't' },
      null,
      /must be an http or https URL/,
    ],
    [
      'the only token is that of another cloud',
      { HELIOGRAPH_URL: 'https://evil.example' },
      RUN,
      /HELIOGRAPH_TOKEN is not set/,
    ],
  ])('the cloud is refused when %s', (_what, env, run, message) => {
    expect(() => cloudSettings(env, run)).toThrow(message);
  });
});

describe('deviceSettings', () => {
  it.each([
    [
      'the option before the environment',
      '10.0.0.5',
      'opt',
      { HELIOGRAPH_PASSWORD: 'env' },
      '10.0.0.5',
      'opt',
    ],
    ['the environment', '10.0.0.5:81', undefined, { HELIOGRAPH_PASSWORD: 'env' }, '10.0.0.5:81', 'env'],
    ['the running system for its own device', '127.0.0.1:4002', undefined, {}, '127.0.0.1:4002', 'local'],
    ['also when given as a URL', 'http://127.0.0.1:4002/', undefined, {}, '127.0.0.1:4002', 'local'],
  ])('the password of the device comes from %s', (_what, device, option, env, address, password) => {
    expect(lanSettings(device, option, env, RUN)).toEqual({ address, password });
  });

  it('the device needs a password, and a host', () => {
    expect(() => lanSettings('10.0.0.5', undefined, {}, RUN)).toThrow('10.0.0.5 needs --password');
    expect(() => lanSettings('no host', 'p', {}, RUN)).toThrow('"no host" is not a host');
  });
});

it('the scheme of the running system is used for its own proxy only', () => {
  const schemeOf = proxySchemeOf(RUN);
  expect([schemeOf('192.168.1.9:4001'), schemeOf('proxy.example')]).toEqual(['http', undefined]);
});
