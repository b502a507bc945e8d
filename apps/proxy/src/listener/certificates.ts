import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type Clock, ConfigError, type Logger, messageOf, wait } from '@heliograph/kit';
import { type CheckResult, certificateCheck, invalidityOf, type Validity } from '@heliograph/telemetry';

/** How often the files are looked at, in milliseconds. */
const LOOK_INTERVAL_MS = 5_000;
/** How often an expiry that is near is logged, in milliseconds. */
const WARNING_INTERVAL_MS = 24 * 60 * 60_000;

/** PEM files. */
export interface CertificateFiles {
  readonly certPath: string;
  readonly keyPath: string;
}

export const MIN_VERSION = 'TLSv1.2';

interface Certificate {
  readonly pem: { readonly cert: Buffer; readonly key: Buffer };
  readonly context: SecureContext;
  readonly x509: X509Certificate;
}

/** A certificate that is read again when its files change. */
class WatchedCertificate {
  readonly files: CertificateFiles;
  /** A name that clients verify, once a certificate is for it; undefined: none is known. */
  readonly #name: string | undefined;
  #current: Certificate | undefined;
  /** The files as they were when they were last tried, whether they could be used or not. */
  #tried = '';
  /** When those files become valid, in milliseconds since the epoch; undefined: no later than they were tried. */
  #validFromMs: number | undefined;
  /** When its expiry was last warned of, in milliseconds since the epoch. */
  #warnedMs = Number.NEGATIVE_INFINITY;

  constructor(files: CertificateFiles, name: string | undefined) {
    this.files = files;
    this.#name = name;
  }

  get current(): Certificate {
    if (this.#current === undefined) throw new Error('the certificate was not loaded');
    return this.#current;
  }

  get validity(): Validity {
    return validityOf(this.current.x509);
  }

  /**
   * Reads the files if they changed, or have become valid.
   *
   * @param force reads them in any case
   * @returns whether there is a new certificate
   * @throws when they cannot be used, or would not be accepted by clients; the certificate stays what it was
   */
  async refresh(nowMs: number, force = false): Promise<boolean> {
    const { certPath, keyPath } = this.files;
    let state = await this.#state();
    const isDue = this.#validFromMs !== undefined && nowMs >= this.#validFromMs;
    if (state === this.#tried && !isDue && !force) return false;
    let tried: string;
    let cert: Buffer;
    let key: Buffer;
    // Files that change while they are read would be one old and one new, or be refused twice for the same reason.
    do {
      tried = state;
      this.#tried = tried;
      this.#validFromMs = undefined;
      [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)]);
      state = await this.#state();
    } while (state !== tried);
    const context = createSecureContext({ cert, key, minVersion: MIN_VERSION });
    const next = { pem: { cert, key }, context, x509: new X509Certificate(cert) };
    if (this.#current !== undefined) this.#requireAcceptable(next.x509, nowMs);
    this.#current = next;
    this.#warnedMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  async #state(): Promise<string> {
    const { certPath, keyPath } = this.files;
    return `${await stateOf(certPath)} ${await stateOf(keyPath)}`;
  }

  /** A warning that is due: of an expiry that is near, once a day. */
  takeWarning(nowMs: number): string | undefined {
    const { status, detail } = certificateCheck(this.validity, nowMs);
    if (status === 'ok' || nowMs - this.#warnedMs < WARNING_INTERVAL_MS) return undefined;
    this.#warnedMs = nowMs;
    return detail;
  }

  /** A certificate that no client would accept must not replace the one that is there, which some may. */
  #requireAcceptable(x509: X509Certificate, nowMs: number): void {
    const validity = validityOf(x509);
    const invalidity = invalidityOf(validity, nowMs);
    if (invalidity !== undefined) {
      if (nowMs < validity.fromMs) this.#validFromMs = validity.fromMs;
      throw new Error(invalidity);
    }
    const name = this.#name;
    if (name === undefined || x509.checkHost(name) !== undefined) return;
    if (this.current.x509.checkHost(name) !== undefined) throw new Error(`it is not for ${name}`);
  }
}

export interface CertificatesOptions {
  readonly own: CertificateFiles;
  /** For names that the own certificate is not for. */
  readonly region: CertificateFiles | undefined;
  /** The public host of the proxy, without a port. */
  readonly host: string | undefined;
  /** The domain of the region's sites, without a port. */
  readonly regionDomain: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number | undefined;
}

/** The certificates of a proxy: its own, and maybe one for the names of its region's sites. */
export class Certificates {
  readonly #own: WatchedCertificate;
  readonly #region: WatchedCertificate | undefined;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #intervalMs: number;
  readonly #stopping = new AbortController();

  constructor(options: CertificatesOptions) {
    const { own, region, host, regionDomain, clock, logger, intervalMs = LOOK_INTERVAL_MS } = options;
    this.#own = new WatchedCertificate(own, host);
    this.#region =
      region &&
      new WatchedCertificate(region, regionDomain === undefined ? undefined : `site.${regionDomain}`);
    this.#clock = clock;
    this.#logger = logger;
    this.#intervalMs = intervalMs;
  }

  /** @throws ConfigError naming the files that cannot be used */
  async load(): Promise<void> {
    for (const one of this.#all) {
      try {
        await one.refresh(this.#clock.now());
      } catch (error) {
        const { certPath, keyPath } = one.files;
        throw new ConfigError(`${certPath} and ${keyPath} cannot be used: ${messageOf(error)}`, {
          cause: error,
        });
      }
    }
  }

  /** The certificate of who asks for no name, PEM. */
  get ownPem(): { readonly cert: Buffer; readonly key: Buffer } {
    return this.#own.current.pem;
  }

  /** @param serverName what the client wants to reach, from SNI */
  contextFor(serverName: string): SecureContext {
    const own = this.#own.current;
    const region = this.#region?.current;
    if (region === undefined || own.x509.checkHost(serverName) !== undefined) return own.context;
    return region.x509.checkHost(serverName) === undefined ? own.context : region.context;
  }

  /** When each certificate expires, in milliseconds since the Unix epoch. */
  expiries(): { readonly file: string; readonly atMs: number }[] {
    return this.#all.map(({ files, current }) => ({
      file: files.certPath,
      atMs: current.x509.validToDate.getTime(),
    }));
  }

  /** How the certificates do: the one that expires first. */
  check(): CheckResult {
    const [first] = this.#all.map(({ validity }) => validity).toSorted((a, b) => a.toMs - b.toMs);
    if (first === undefined) throw new Error('no certificate was loaded');
    return certificateCheck(first, this.#clock.now());
  }

  /** Looks at the files every few seconds from now on, and whenever the operator sends SIGHUP. */
  watch(onNew: () => void): void {
    void this.#watch(onNew, this.#stopping.signal);
    const reload = (): void => void this.#refresh(onNew, true);
    process.on('SIGHUP', reload);
    this.#stopping.signal.addEventListener('abort', () => process.off('SIGHUP', reload));
  }

  stop(): void {
    this.#stopping.abort();
  }

  get #all(): WatchedCertificate[] {
    return this.#region === undefined ? [this.#own] : [this.#own, this.#region];
  }

  async #watch(onNew: () => void, signal: AbortSignal): Promise<void> {
    while (await wait(this.#intervalMs, signal)) await this.#refresh(onNew, false);
  }

  async #refresh(onNew: () => void, force: boolean): Promise<void> {
    for (const one of this.#all) {
      try {
        if (!(await one.refresh(this.#clock.now(), force))) continue;
        this.#logger.info({ file: one.files.certPath }, 'the certificate was read again');
        onNew();
      } catch (error) {
        this.#logger.error(
          { file: one.files.certPath, reason: messageOf(error) },
          'the certificate cannot be read again; the old one stays',
        );
      }
    }
    this.#warn();
  }

  #warn(): void {
    for (const one of this.#all) {
      const warning = one.takeWarning(this.#clock.now());
      if (warning !== undefined) this.#logger.warn({ file: one.files.certPath }, warning);
    }
  }
}

function validityOf({ validFromDate, validToDate }: X509Certificate): Validity {
  return { fromMs: validFromDate.getTime(), toMs: validToDate.getTime() };
}

/** Changes when a file is written to or replaced. */
async function stateOf(path: string): Promise<string> {
  try {
    const { mtimeNs, ino, size } = await stat(path, { bigint: true });
    return `${mtimeNs} ${ino} ${size}`;
  } catch {
    // Reading the file reports the cause.
    return 'unknown';
  }
}
