import { MAX_ID } from '@heliograph/contracts';
import { ConfigError, type Env, isLoopback } from '@heliograph/kit';
import { type OpenTelemetryConfig, openTelemetryFromEnv, THIS_MACHINE } from '@heliograph/telemetry';

/** Sender of pages and mails without an organization. */
export const SERVICE_NAME = 'Heliograph';

export const ACTIVATION_POLICIES = ['automatic', 'manual'] as const;
export type ActivationPolicy = (typeof ACTIVATION_POLICIES)[number];

/** Transport of mails: a mail server, or the mailbox page of a development system. */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: MailSender }
  | { readonly kind: 'mailbox' };

export interface MailSender {
  /** The name that mails of no organization bear. */
  readonly name: string;
  readonly address: string;
}

/** The account at Stripe to which orders of the operator's shop are paid. */
export interface StripeConfig {
  readonly secretKey: string;
  /** Proves that notifications come from Stripe. */
  readonly webhookSecret: string;
  readonly apiUrl: string;
}

export interface CloudConfig {
  readonly databaseUrl: string;
  /** The address to listen on. */
  readonly host: string;
  /** The port to listen on; 0 lets the system pick one. */
  readonly port: number;
  /** Public URL of the cloud; undefined for the address it listens on. */
  readonly url: string | undefined;
  /** Everything secret that the cloud derives: site keys, and the key that seals signing keys at rest. */
  readonly secret: {
    readonly used: string;
    /** Another value that is accepted while one takes the place of the other. */
    readonly accepted: string | undefined;
  };
  /** Whether a device is activated by its first call or by a person. */
  readonly deviceActivation: ActivationPolicy;
  /** Reverse proxies before the cloud, as addresses or CIDR ranges: their X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly mail: MailConfig;
  /** Whether browsers keep the service worker of the pages; otherwise it ends. */
  readonly serviceWorker: boolean;
  /** Whether registering and asking for a new password need a passed bot check. */
  readonly botCheck: boolean;
  /** Whether confirming an address may leave the organization out, which then is the one of the mail. */
  readonly confirmWithoutOrganization: boolean;
  /** The organization of the portal at hosts without an organization; null for the only organization. */
  readonly portalOrganizationId: number | null;
  /** Null: maps have no tiles. */
  readonly mapTiles: MapTilesConfig | null;
  /** Days until the next key signs; 0: until an operator rotates. */
  readonly keyRotationDays: number;
  /** Undefined: orders are paid by transfer, and marked as paid. */
  readonly stripe: StripeConfig | undefined;
  /** Addresses and ranges from which the metrics may be read. */
  readonly metricsFrom: readonly string[];
  /** Undefined: spans of requests go nowhere. */
  readonly openTelemetry: OpenTelemetryConfig | undefined;
}

/** Configuration of the operator's command line, which works on the database without a server. */
export interface AdminConfig {
  readonly databaseUrl: string;
  /** Public URL of the cloud. */
  readonly cloudUrl: string;
}

/** The server that browsers load tiles of maps from. */
export interface MapTilesConfig {
  /** With `{z}`, `{x}` and `{y}` in its path. */
  readonly url: string;
  /** Shown on maps; null for none. */
  readonly attribution: string | null;
}

const MIN_SECRET_LENGTH = 32;
const DEFAULT_PORT = 4000;
const ORGANIZATION_IDS = { min: 1, max: MAX_ID };

/** @throws ConfigError with a message that names the variable */
export function configFromEnv(env: Env): CloudConfig {
  const host = env.string('CLOUD_HOST', '127.0.0.1');
  return {
    databaseUrl: databaseUrl(env),
    host,
    port: env.port('CLOUD_PORT', DEFAULT_PORT),
    url: env.optional('CLOUD_URL') === undefined ? undefined : env.url('CLOUD_URL'),
    secret: { used: secret(env, 'CLOUD_SECRET'), accepted: acceptedSecret(env) },
    deviceActivation: env.oneOf('DEVICE_ACTIVATION', ACTIVATION_POLICIES, 'manual'),
    trustedProxies: env.addresses('CLOUD_TRUSTED_PROXIES'),
    mail: mail(env, host),
    serviceWorker: env.boolean('SERVICE_WORKER', true),
    botCheck: env.boolean('BOT_CHECK', true),
    confirmWithoutOrganization: env.boolean('CONFIRM_WITHOUT_ORGANIZATION', false),
    portalOrganizationId:
      env.optional('PORTAL_ORGANIZATION') === undefined
        ? null
        : env.integer('PORTAL_ORGANIZATION', ORGANIZATION_IDS),
    mapTiles: mapTiles(env),
    keyRotationDays: env.integer('KEY_ROTATION_DAYS', { fallback: 90, min: 0 }),
    stripe: stripe(env),
    metricsFrom: env.addresses('CLOUD_METRICS_FROM', THIS_MACHINE),
    openTelemetry: openTelemetryFromEnv(env, 'heliograph-cloud'),
  };
}

/** @throws ConfigError with a message that names the variable */
export function adminConfigFromEnv(env: Env): AdminConfig {
  if (env.secret('DATABASE_URL') === undefined) {
    throw new ConfigError(
      'No database is known: set DATABASE_URL, or run the system with "heliograph start"',
    );
  }
  return {
    databaseUrl: databaseUrl(env),
    cloudUrl: env.url('CLOUD_URL', `http://localhost:${env.port('CLOUD_PORT', DEFAULT_PORT)}`),
  };
}

/** Browsers send the addresses of what people look at to that server, so there is none by default. */
function mapTiles(env: Env): MapTilesConfig | null {
  const url = env.optional('MAP_TILES_URL');
  const attribution = env.optional('MAP_TILES_ATTRIBUTION') ?? null;
  if (url === undefined) return null;
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => url.includes(part)) && !/[\s;,'"]/.test(url);
  const host = /^https?:\/\/([^/{}]+)\//.exec(url)?.[1];
  const parsed = host === undefined ? null : URL.parse(url);
  if (!isTemplate || parsed === null || parsed.username !== '' || parsed.password !== '') {
    throw new ConfigError(
      'MAP_TILES_URL must be like https://tiles.example.org/{z}/{x}/{y}.png, with one host',
    );
  }
  return { url, attribution };
}

function databaseUrl(env: Env): string {
  const url = env.secret('DATABASE_URL');
  if (url === undefined) throw new ConfigError('DATABASE_URL is not set');
  // The value carries a password, so the message does not repeat it.
  if (!/^postgres(ql)?:\/\//.test(url)) throw new ConfigError('DATABASE_URL must start with postgres://');
  return url;
}

function mail(env: Env, host: string): MailConfig {
  const url = env.secret('SMTP_URL');
  if (url === undefined) {
    // The mailbox shows every mail to every client, so it must be configured explicitly.
    if (env.boolean('CLOUD_MAILBOX', false)) return mailbox(host);
    throw new ConfigError(
      'SMTP_URL is not set; in development CLOUD_MAILBOX=true shows mails on a page instead',
    );
  }
  // The value may carry a password, so the message does not repeat it.
  if (!/^smtps?:\/\//.test(url)) throw new ConfigError('SMTP_URL must start with smtp:// or smtps://');
  if (!URL.canParse(url)) throw new ConfigError('SMTP_URL is not a URL');
  return { kind: 'smtp', url, from: mailSender(env.string('MAIL_FROM')) };
}

function mailbox(host: string): MailConfig {
  if (isLoopback(host)) return { kind: 'mailbox' };
  throw new ConfigError(
    'CLOUD_MAILBOX shows the links of everybody to everybody, so CLOUD_HOST must be 127.0.0.1: set SMTP_URL',
  );
}

/** @param text an address, with or without a name before it */
function mailSender(text: string): MailSender {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  if (!/^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/.test(address.trim())) {
    throw new ConfigError('MAIL_FROM must be an email address, such as Heliograph <mail@example.org>');
  }
  return { name: name.replaceAll('"', '').trim() || SERVICE_NAME, address: address.trim() };
}

const STRIPE_API = 'https://api.stripe.com';

function stripe(env: Env): StripeConfig | undefined {
  const secretKey = env.secret('STRIPE_SECRET_KEY');
  const webhookSecret = env.secret('STRIPE_WEBHOOK_SECRET');
  const apiUrl = env.url('STRIPE_API_URL', STRIPE_API);
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey === undefined || webhookSecret === undefined) {
    throw new ConfigError(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both, or neither',
    );
  }
  return { secretKey, webhookSecret, apiUrl };
}

function acceptedSecret(env: Env): string | undefined {
  const name = 'CLOUD_SECRET_ACCEPTED';
  return env.secret(name) === undefined ? undefined : secret(env, name);
}

function secret(env: Env, name: string): string {
  const value = env.secret(name);
  if (value === undefined) throw new ConfigError(`${name} is not set`);
  if (value.length < MIN_SECRET_LENGTH) {
    throw new ConfigError(`${name} must have at least ${MIN_SECRET_LENGTH} characters`);
  }
  return value;
}
