import { ConfigError, Env } from '@heliograph/kit';
import { describe, expect, test } from 'vitest';
import { configFromEnv } from './config.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const CREDENTIAL = `hgp_${'s'.repeat(43)}`;
const REQUIRED = { CLOUD_URL: 'http://cloud.example:4000/', PROXY_CREDENTIAL: CREDENTIAL };

describe('configFromEnv', () => {
  test('the cloud and the credential are the only required variables', () => {
    expect(configFromEnv(new Env(REQUIRED))).toEqual({
      name: 'local-1',
      region: 'local',
      bind: '127.0.0.1',
      port: 4001,
      host: undefined,
      url: undefined,
      cloudUrl: 'http://cloud.example:4000',
      cloudPublicUrl: undefined,
      regionDomain: undefined,
      capacity: 40_000,
      credential: CREDENTIAL,
      keysFile: undefined,
      tls: undefined,
      regionTls: undefined,
      trustedProxies: [],
      proxyProtocolFrom: [],
      metricsFrom: ['127.0.0.0/8', '::1'],
      unlimitedFrom: [],
      limits: DEFAULT_LIMITS,
    });
  });

  test.each([
    [{ CLOUD_URL: '' }, 'CLOUD_URL is not set'],
    [{ CLOUD_URL: 'cloud' }, 'CLOUD_URL must be an http or https URL'],
    [{ PROXY_CREDENTIAL: '' }, 'PROXY_CREDENTIAL is not set: "heliograph admin proxies add NAME"'],
    [{ PROXY_CREDENTIAL: 's'.repeat(47) }, 'PROXY_CREDENTIAL is not a credential: "heliograph admin'],
    [{ PROXY_CREDENTIAL: `${CREDENTIAL}s` }, 'PROXY_CREDENTIAL is not a credential'],
    [{ PROXY_NAME: 'a/b' }, 'PROXY_NAME must be'],
    [{ PROXY_REGION: 'Europe' }, 'PROXY_REGION must be'],
    [{ PROXY_HOST: 'https://x' }, 'PROXY_HOST must be'],
    [{ PROXY_URL: 'x' }, 'PROXY_URL must be'],
    [{ PROXY_CLOUD_PUBLIC_URL: 'x' }, 'PROXY_CLOUD_PUBLIC_URL must be'],
    [{ PROXY_REGION_DOMAIN: 'a/b' }, 'PROXY_REGION_DOMAIN must be'],
    [{ PROXY_PORT: '70000' }, 'PROXY_PORT must be'],
    [{ PROXY_CAPACITY: '0' }, 'PROXY_CAPACITY must be'],
    [{ PROXY_TLS_CERT: 'cert.pem' }, 'PROXY_TLS_CERT is set but PROXY_TLS_KEY is not'],
    [{ PROXY_TLS_KEY: 'key.pem' }, 'PROXY_TLS_KEY is set but PROXY_TLS_CERT is not'],
    [
      { PROXY_TLS_REGION_CERT: 'c', PROXY_TLS_REGION_KEY: 'k' },
      'PROXY_TLS_REGION_CERT is set but PROXY_TLS_CERT is not',
    ],
    [{ PROXY_TLS_REGION_KEY: 'k' }, 'PROXY_TLS_REGION_KEY is set but PROXY_TLS_REGION_CERT is not'],
    [{ PROXY_TRUSTED_PROXIES: '10.0.0.1, example.org' }, 'PROXY_TRUSTED_PROXIES: "example.org" is neither'],
    [{ PROXY_METRICS_FROM: '10.0.0.0/33' }, 'PROXY_METRICS_FROM: "10.0.0.0/33" is neither'],
    [{ PROXY_UNLIMITED_FROM: '::1/8/8' }, 'PROXY_UNLIMITED_FROM: "::1/8/8" is neither'],
    [{ PROXY_BODY_BYTES: '1 MB' }, 'PROXY_BODY_BYTES must be a whole number'],
    [{ PROXY_ANSWER_S: '0' }, 'PROXY_ANSWER_S must be a whole number from 1'],
  ])('an invalid %j is refused with the name of the variable', (change, message) => {
    expect(() => configFromEnv(new Env({ ...REQUIRED, ...change }))).toThrow(ConfigError);
    expect(() => configFromEnv(new Env({ ...REQUIRED, ...change }))).toThrow(message);
  });

  test('error messages never contain the credential', () => {
    const attempt = () => configFromEnv(new Env({ ...REQUIRED, PROXY_CREDENTIAL: 'hunter2' }));
    expect(attempt).not.toThrow('hunter2');
  });
});
