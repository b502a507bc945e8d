import { ConfigError, type Env } from '@heliograph/kit';

/** Everything a proxy is told from outside. */
export interface ProxyConfig {
  /** Names the proxy to the cloud; tunnel tokens are made out to it. */
  readonly name: string;
  readonly region: string;
  readonly bind: string;
  /** 0 lets the system pick a free port. */
  readonly port: number;
  /** What clients put after `https?://`; undefined: where the proxy listens. */
  readonly host: string | undefined;
  /** Where devices dial; undefined: the host, with the scheme the proxy itself speaks. */
  readonly url: string | undefined;
  readonly cloudUrl: string;
  /** Authenticates the proxy to the cloud. */
  readonly secret: string;
  /** PEM files; undefined: plain HTTP, for development and behind something that ends TLS. */
  readonly tls: { readonly certPath: string; readonly keyPath: string } | undefined;
}

const SECRET_MIN_LENGTH = 32;

/** @throws ConfigError naming the variable that cannot be used */
export function configFromEnv(env: Env): ProxyConfig {
  return {
    name: label(env, 'PROXY_NAME', 'local-1'),
    region: label(env, 'PROXY_REGION', 'local'),
    bind: env.string('PROXY_BIND', '127.0.0.1'),
    port: env.port('PROXY_PORT', 4001),
    host: hostFrom(env),
    url: env.optional('PROXY_URL') === undefined ? undefined : env.url('PROXY_URL'),
    cloudUrl: env.url('CLOUD_URL'),
    secret: secretFrom(env),
    tls: tlsFrom(env),
  };
}

function label(env: Env, name: string, fallback: string): string {
  const value = env.string(name, fallback);
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(value)) {
    throw new ConfigError(`${name} must be lower-case letters, digits and hyphens, not "${value}"`);
  }
  return value;
}

function hostFrom(env: Env): string | undefined {
  const host = env.optional('PROXY_HOST');
  if (host !== undefined && (!URL.canParse(`http://${host}`) || /[/?#@]/.test(host))) {
    throw new ConfigError(`PROXY_HOST must be a host name, with :port where needed, not "${host}"`);
  }
  return host;
}

function secretFrom(env: Env): string {
  const secret = env.string('PROXY_SECRET');
  if (secret.length < SECRET_MIN_LENGTH) {
    throw new ConfigError(`PROXY_SECRET must have at least ${SECRET_MIN_LENGTH} characters`);
  }
  return secret;
}

function tlsFrom(env: Env): ProxyConfig['tls'] {
  const certPath = env.optional('PROXY_TLS_CERT');
  const keyPath = env.optional('PROXY_TLS_KEY');
  if (certPath === undefined && keyPath === undefined) return undefined;
  if (certPath === undefined) throw new ConfigError('PROXY_TLS_KEY is set but PROXY_TLS_CERT is not');
  if (keyPath === undefined) throw new ConfigError('PROXY_TLS_CERT is set but PROXY_TLS_KEY is not');
  return { certPath, keyPath };
}
