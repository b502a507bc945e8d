import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { COMPOSE_ENVIRONMENT, COMPOSE_FILE, HAPROXY_COMPOSE_FILE } from './compose.ts';

interface ComposeFile {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly environment: Readonly<Record<string, string>>;
        readonly networks: Readonly<Record<string, { readonly ipv4_address?: string } | undefined>>;
      }
    >
  >;
  readonly networks: {
    readonly front: { readonly ipam: { readonly config: readonly { ip_range: string }[] } };
  };
}

const { services, networks } = parse(readFileSync(COMPOSE_FILE, 'utf8'), { merge: true }) as ComposeFile;
const behindHaproxy = (parse(readFileSync(HAPROXY_COMPOSE_FILE, 'utf8')) as ComposeFile).services;

/** Addresses that the network gives to services without one of their own. */
const given = new BlockList();
for (const { ip_range: range } of networks.front.ipam.config) {
  const [net = '', prefix] = range.split('/');
  given.addSubnet(net, Number(prefix));
}

it('each secret of the compose file has one purpose, and the superuser’s is of the database alone', () => {
  const uses = Object.entries(services).flatMap(([service, { environment = {} }]) =>
    Object.entries(environment).flatMap(([variable, text]) =>
      [...String(text).matchAll(/\$\{(\w+)/g)].map(([, secret = '']) => `${secret}: ${service} ${variable}`),
    ),
  );
  const secrets = Object.keys(COMPOSE_ENVIRONMENT).filter((name) => /SECRET|PASSWORD/.test(name));
  expect(uses.filter((use) => secrets.some((secret) => use.startsWith(`${secret}:`))).toSorted()).toEqual([
    'HELIOGRAPH_DATABASE_PASSWORD: cloud DATABASE_URL',
    'HELIOGRAPH_DATABASE_PASSWORD: credential DATABASE_URL',
    'HELIOGRAPH_DATABASE_PASSWORD: database CLOUD_DATABASE_PASSWORD',
    'HELIOGRAPH_POSTGRES_PASSWORD: database POSTGRES_PASSWORD',
    'HELIOGRAPH_SECRET: cloud CLOUD_SECRET',
    'HELIOGRAPH_SECRET: credential CLOUD_SECRET',
  ]);
});

it('the forwarding headers of Caddy alone count, at an address that no other service gets', () => {
  const caddy = services.caddy?.networks.front?.ipv4_address ?? '';
  expect(services.cloud?.environment.CLOUD_TRUSTED_PROXIES).toBe(caddy);
  expect(services.proxy?.environment.PROXY_TRUSTED_PROXIES).toBe(caddy);
  expect(given.check(caddy)).toBe(false);
});

it('HAProxy has the address that cloud and proxy trust, and leads to theirs', () => {
  const addressOf = (name: string): string => behindHaproxy[name]?.networks.front?.ipv4_address ?? '';
  const haproxy = addressOf('haproxy');
  expect(services.cloud?.environment.CLOUD_TRUSTED_PROXIES).toBe(haproxy);
  expect(behindHaproxy.proxy?.environment.PROXY_PROTOCOL_FROM).toBe(haproxy);
  expect(behindHaproxy.haproxy?.environment).toMatchObject({
    HELIOGRAPH_PROXY: `${addressOf('proxy')}:4001`,
    HELIOGRAPH_CLOUD: `${addressOf('cloud')}:4000`,
  });
  for (const name of ['haproxy', 'proxy', 'cloud']) expect(given.check(addressOf(name))).toBe(false);
});
