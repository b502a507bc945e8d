import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Env } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { Operator } from '../test/operator/admin/operator.ts';
import * as siteAlerts from './alerting/alerts/limits.ts';
import { adminConfigFromEnv, configFromEnv } from './common/config/env.ts';
import type { RateRule } from './common/limits/rate-limits.ts';
import * as activation from './devices/activation/limits.ts';
import * as devices from './devices/devices/limits.ts';
import * as proxies from './devices/proxies/limits.ts';
import { BODY_SHARES } from './http/guards.ts';
import * as accounts from './identity/accounts/limits.ts';
import * as botCheck from './identity/bot-check/bot-check.ts';
import * as secondFactor from './identity/second-factor/limits.ts';
import * as authorizations from './oauth/adapters/interactions.ts';
import * as agents from './oauth/agents/limits.ts';
import * as invitations from './organizations/invitations/limits.ts';
import * as products from './shop/products/limits.ts';
import * as givenAccess from './sites/members/given-access.ts';
import * as registration from './sites/sites/registration.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
const PAGE = read('docs/operating-a-cloud.md');

/** The first two cells of every row that begins with a name in code, below a heading. */
function rowsBelow(heading: string): [string, string][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name = '', cell = '']) => [name, cell]);
}

/** Names of the variables that the configuration reads. */
function variablesRead(given: Record<string, string>): string[] {
  const names: string[] = [];
  const spy = new Proxy(given, {
    get: (values, name) => {
      names.push(String(name));
      return values[String(name)];
    },
  });
  configFromEnv(new Env(spy));
  adminConfigFromEnv(new Env(spy));
  return names;
}

it('the page documents every environment variable of the cloud, and no other', () => {
  const needed = {
    DATABASE_URL: 'postgres://localhost/cloud',
    CLOUD_SECRET: 'c'.repeat(32),
  };
  const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'mail@example.org' };
  const names = [
    ...variablesRead({ ...needed, ...mail }),
    ...variablesRead({ ...needed, CLOUD_MAILBOX: 'true' }),
    'LOG_LEVEL',
  ];
  const rows = rowsBelow('Environment');
  expect(rows.map(([name]) => name).sort()).toEqual([...new Set(names)].sort());
});

it('the documented defaults are the real ones', () => {
  const documented = rowsBelow('Environment').flatMap(([name, cell]) => {
    const [, value] = /^`([^`]+)`$/.exec(cell) ?? [];
    return value === undefined ? [] : [[name, value]];
  });
  const needed = {
    DATABASE_URL: 'postgres://localhost/cloud',
    CLOUD_SECRET: 'c'.repeat(32),
    SMTP_URL: 'smtp://mail.example',
    MAIL_FROM: 'mail@example.org',
  };
  expect(documented.length).toBeGreaterThan(5);
  expect(configFromEnv(new Env({ ...needed, ...Object.fromEntries(documented) }))).toEqual(
    configFromEnv(new Env(needed)),
  );
});

it('the page documents every rate limit with its numbers, and no other', () => {
  const modules = [
    accounts,
    activation,
    agents,
    authorizations,
    botCheck,
    devices,
    givenAccess,
    invitations,
    products,
    proxies,
    registration,
    secondFactor,
    siteAlerts,
  ];
  const rules = modules.flatMap((module) => Object.values<unknown>(module).filter(isRule));
  const durations: Readonly<Record<number, string>> = { 86400: '1 day', 2592000: '30 days' };
  const expected = rules.map(({ name, points, durationS }) => [
    name,
    `${points} in ${durations[durationS] ?? `${durationS / 60} min`}`,
  ]);
  expect(rowsBelow('Rate limits').sort()).toEqual(expected.sort());
});

it('the page documents the memory for large bodies of every sender', () => {
  const expected = Object.entries(BODY_SHARES).map(([kind, { each, all }]) => [
    kind,
    `${each / 2 ** 20} MiB each, ${all / 2 ** 20} MiB in all`,
  ]);
  expect(rowsBelow('Large bodies')).toEqual(expected);
});

it('every admin command in the documentation exists', async () => {
  const nowhere = new Operator('postgres://nobody@127.0.0.1:1/none');
  const pages = [
    PAGE,
    read('docs/operating-a-proxy.md'),
    read('docs/operating-a-device.md'),
    read('README.md'),
  ];
  const shown = pages.flatMap((text) => [...text.matchAll(/^ *(?:npx )?heliograph admin (.+)$/gm)]);
  expect(shown.length).toBeGreaterThan(10);
  for (const [, line = ''] of shown) {
    const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
    // Typed correctly, so that it fails only at the database.
    expect([line, (await nowhere.run(args)).code]).toEqual([line, 1]);
  }
});

function isRule(value: unknown): value is RateRule {
  return typeof value === 'object' && value !== null && 'points' in value;
}
