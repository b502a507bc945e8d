import { ConfigError, Env } from '@heliograph/kit';
import { describe, expect, it } from 'vitest';
import { configFromEnv } from './env.ts';

const NEEDED = {
  DATABASE_URL: 'postgres://heliograph:pass@localhost/heliograph',
  CLOUD_SECRET: 'c'.repeat(32),
  SMTP_URL: 'smtp://user:pass@mail.example',
  MAIL_FROM: 'Heliograph <mail@example.org>',
};

const read = (changes: Record<string, string | undefined> = {}) =>
  configFromEnv(new Env({ ...NEEDED, ...changes }));

describe('configFromEnv', () => {
  it('a database, a secret and a mail server are required, and the rest has defaults', () => {
    expect(read()).toEqual({
      databaseUrl: NEEDED.DATABASE_URL,
      host: '127.0.0.1',
      port: 4000,
      url: undefined,
      secret: { used: NEEDED.CLOUD_SECRET, accepted: undefined },
      deviceActivation: 'manual',
      trustedProxies: [],
      mail: {
        kind: 'smtp',
        url: NEEDED.SMTP_URL,
        from: { name: 'Heliograph', address: 'mail@example.org' },
      },
      botCheck: true,
      confirmWithoutOrganization: false,
      serviceWorker: true,
      portalOrganizationId: null,
      mapTiles: null,
      keyRotationDays: 90,
      metricsFrom: ['127.0.0.0/8', '::1'],
    });
  });

  it('the environment sets the listening address, the public address and the activation policy', () => {
    const given = {
      CLOUD_HOST: '0.0.0.0',
      CLOUD_PORT: '0',
      CLOUD_URL: 'https://a.example/',
      DEVICE_ACTIVATION: 'automatic',
      PORTAL_ORGANIZATION: '7',
      SERVICE_WORKER: 'false',
      MAP_TILES_URL: 'https://tiles.example.org/{z}/{x}/{y}.png?key=k',
      MAP_TILES_ATTRIBUTION: '© Example',
    };
    expect(read(given)).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      url: 'https://a.example',
      deviceActivation: 'automatic',
      serviceWorker: false,
      portalOrganizationId: 7,
      mapTiles: { url: 'https://tiles.example.org/{z}/{x}/{y}.png?key=k', attribution: '© Example' },
    });
  });

  it.each([
    ['DATABASE_URL', undefined],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['CLOUD_SECRET', undefined],
    ['CLOUD_SECRET', 'short'],
    ['CLOUD_PORT', '70000'],
    ['CLOUD_URL', 'cloud.example.org'],
    ['DEVICE_ACTIVATION', 'sometimes'],
    ['PORTAL_ORGANIZATION', '0'],
    ['PORTAL_ORGANIZATION', 'Example Solar'],
    ['MAP_TILES_URL', 'tiles.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_URL', 'https://tiles.example.org/tiles.png'],
    ['MAP_TILES_URL', 'https://{s}.example.org/{z}/{x}/{y}.png'],
    ['MAP_TILES_URL', "https://tiles.example.org/{z}/{x}/{y}.png; script-src 'unsafe-inline'"],
    ['SMTP_URL', undefined],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'smtp://user:p@ss@:x'],
    ['MAIL_FROM', undefined],
    ['MAIL_FROM', 'Heliograph'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['MAIL_FROM', 'Me <a@example.org> <b@example.org>'],
  ])('%s=%s is refused with an error that names the variable', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(ConfigError);
    expect(() => read({ [name]: value })).toThrow(name);
  });

  it('error messages do not contain secrets', () => {
    expect(() => read({ CLOUD_SECRET: 'hunter2' })).not.toThrow('hunter2');
    expect(() => read({ DATABASE_URL: 'mysql://user:hunter2@localhost/x' })).not.toThrow('hunter2');
    expect(() => read({ SMTP_URL: 'user:hunter2@localhost' })).not.toThrow('hunter2');
    expect(() => read({ SMTP_URL: 'smtp://user:hunter2@local host' })).not.toThrow('hunter2');
  });

  it.each([
    ['mail@example.org', { name: 'Heliograph', address: 'mail@example.org' }],
    ['"Sun, Inc." <mail@example.org> ', { name: 'Sun, Inc.', address: 'mail@example.org' }],
    ['<mail@example.org>', { name: 'Heliograph', address: 'mail@example.org' }],
  ])('mails are sent from %s', (given, from) => {
    expect(read({ MAIL_FROM: given }).mail).toMatchObject({ from });
  });

  const mailbox = { SMTP_URL: undefined, CLOUD_MAILBOX: 'true' };

  it.each(['127.0.0.1', 'localhost', '::1'])(
    'the mailbox page is allowed when the cloud listens on %s',
    (host) => {
      expect(read({ ...mailbox, CLOUD_HOST: host }).mail).toEqual({ kind: 'mailbox' });
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.5', '127.example.org'])(
    'the mailbox page is refused when the cloud listens on %s',
    (host) => {
      expect(() => read({ ...mailbox, CLOUD_HOST: host })).toThrow(/CLOUD_MAILBOX/);
    },
  );
});
