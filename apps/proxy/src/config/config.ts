import { ConfigError, type Env } from '@heliograph/kit';
import { type OpenTelemetryConfig, openTelemetryFromEnv, THIS_MACHINE } from '@heliograph/telemetry';
import { limitsFromEnv, type ProxyLimits } from './limits.ts';

/** A certificate and its key, PEM. */
export interface TlsPaths {
  readonly certPath: string;
  readonly keyPath: string;
}

/** The configuration of a proxy. */
export interface ProxyConfig {
  /** Names the proxy to the cloud; tunnel tokens are made out to it. */
  readonly name: string;
  readonly region: string;
  readonly bind: string;
  /** 0 lets the system pick a free port. */
  readonly port: number;
  /** Public host with an optional port; undefined: the listening address. */
  readonly host: string | undefined;
  /** URL for devices; undefined: the host with the proxy's own scheme. */
  readonly url: string | undefined;
  readonly cloudUrl: string;
  /** URL of the cloud for browsers; undefined: `cloudUrl`. */
  readonly cloudPublicUrl: string | undefined;
  /** Sites are browsed at `{name}.{regionDomain}`; undefined: derived from the host (`regionDomainOf`). */
  readonly regionDomain: string | undefined;
  /** How many devices the cloud is to send here at most. */
  readonly capacity: number;
  /** Authenticates the proxy to the cloud, by its own name alone. */
  readonly credential: string;
  /** File of the cloud's public keys, for a start during an outage of the cloud. */
  readonly keysFile: string | undefined;
  /** Undefined: plain HTTP, for development and behind something that ends TLS. */
  readonly tls: TlsPaths | undefined;
  /** For clients that ask for a name below the region's domain; undefined: they are shown the certificate above. */
  readonly regionTls: TlsPaths | undefined;
  /** Addresses and ranges whose word on where a request comes from is believed. */
  readonly trustedProxies: readonly string[];
  /** Addresses and ranges of load balancers, each of whose connections begins with a header of the PROXY protocol. */
  readonly proxyProtocolFrom: readonly string[];
  /** Addresses and ranges from which the metrics may be read. */
  readonly metricsFrom: readonly string[];
  /** Addresses and ranges for which the limits of each client do not hold. */
  readonly unlimitedFrom: readonly string[];
  readonly limits: ProxyLimits;
  /** Undefined: spans of requests go nowhere. */
  readonly openTelemetry: OpenTelemetryConfig | undefined;
}

/** Mostly idle devices per GiB of memory. */
const DEFAULT_CAPACITY = 40_000;
/** The format that `heliograph admin proxies add` prints. */
const CREDENTIAL = /^hgp_[\w-]{43}$/;

/** @throws ConfigError naming the variable that cannot be used */
export function configFromEnv(env: Env): ProxyConfig {
  return {
    name: label(env, 'PROXY_NAME', 'local-1'),
    region: label(env, 'PROXY_REGION', 'local'),
    bind: env.string('PROXY_BIND', '127.0.0.1'),
    port: env.port('PROXY_PORT', 4001),
    host: optionalHost(env, 'PROXY_HOST'),
    url: optionalUrl(env, 'PROXY_URL'),
    cloudUrl: env.url('CLOUD_URL'),
    cloudPublicUrl: optionalUrl(env, 'PROXY_CLOUD_PUBLIC_URL'),
    regionDomain: optionalHost(env, 'PROXY_REGION_DOMAIN'),
    capacity: env.integer('PROXY_CAPACITY', { fallback: DEFAULT_CAPACITY, min: 1, max: 1_000_000 }),
    credential: credentialFrom(env),
    keysFile: env.optional('PROXY_KEYS_FILE'),
    ...tlsFrom(env),
    trustedProxies: env.addresses('PROXY_TRUSTED_PROXIES'),
    proxyProtocolFrom: env.addresses('PROXY_PROTOCOL_FROM'),
    metricsFrom: env.addresses('PROXY_METRICS_FROM', THIS_MACHINE),
    unlimitedFrom: env.addresses('PROXY_UNLIMITED_FROM'),
    limits: limitsFromEnv(env),
    openTelemetry: openTelemetryFromEnv(env, 'heliograph-proxy'),
  };
}

function label(env: Env, name: string, fallback: string): string {
  const value = env.string(name, fallback);
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) {
    throw new ConfigError(`${name} must be lower-case letters, digits and hyphens, not "${value}"`);
  }
  return value;
}

function optionalUrl(env: Env, name: string): string | undefined {
  return env.optional(name) === undefined ? undefined : env.url(name);
}

function optionalHost(env: Env, name: string): string | undefined {
  const host = env.optional(name);
  if (host !== undefined && (!URL.canParse(`http://${host}`) || /[/?#@]/.test(host))) {
    throw new ConfigError(`${name} must be a host name, with :port where needed, not "${host}"`);
  }
  return host;
}

function credentialFrom(env: Env): string {
  const credential = env.secret('PROXY_CREDENTIAL');
  if (credential !== undefined && CREDENTIAL.test(credential)) return credential;
  const what = credential === undefined ? 'is not set' : 'is not a credential';
  // The value is a secret, also one that is mistyped, so the message does not repeat it.
  throw new ConfigError(
    `PROXY_CREDENTIAL ${what}: "heliograph admin proxies add NAME" at the cloud makes one`,
  );
}

function tlsFrom(env: Env): Pick<ProxyConfig, 'tls' | 'regionTls'> {
  const tls = tlsPaths(env, 'PROXY_TLS_CERT', 'PROXY_TLS_KEY');
  const regionTls = tlsPaths(env, 'PROXY_TLS_REGION_CERT', 'PROXY_TLS_REGION_KEY');
  if (tls === undefined && regionTls !== undefined) {
    throw new ConfigError('PROXY_TLS_REGION_CERT is set but PROXY_TLS_CERT is not');
  }
  return { tls, regionTls };
}

function tlsPaths(env: Env, certName: string, keyName: string): TlsPaths | undefined {
  const certPath = env.optional(certName);
  const keyPath = env.optional(keyName);
  if (certPath === undefined && keyPath === undefined) return undefined;
  if (certPath === undefined) throw new ConfigError(`${keyName} is set but ${certName} is not`);
  if (keyPath === undefined) throw new ConfigError(`${certName} is set but ${keyName} is not`);
  return { certPath, keyPath };
}
