import { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContext } from 'node:tls';
import { ConfigError, type Logger, messageOf, wait } from '@heliograph/kit';

/** How often the files are looked at, in milliseconds. */
const LOOK_INTERVAL_MS = 5_000;

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
  #current: Certificate | undefined;
  /** The files as they were when they were last tried, whether they could be used or not. */
  #tried = '';

  constructor(files: CertificateFiles) {
    this.files = files;
  }

  get current(): Certificate {
    if (this.#current === undefined) throw new Error('the certificate was not loaded');
    return this.#current;
  }

  /**
   * Reads the files if they changed.
   *
   * @param force reads them in any case
   * @returns whether there is a new certificate
   * @throws when they cannot be used; the certificate stays what it was
   */
  async refresh(force = false): Promise<boolean> {
    const { certPath, keyPath } = this.files;
    const state = `${await stateOf(certPath)} ${await stateOf(keyPath)}`;
    if (state === this.#tried && !force) return false;
    this.#tried = state;
    const [cert, key] = await Promise.all([readFile(certPath), readFile(keyPath)]);
    const context = createSecureContext({ cert, key, minVersion: MIN_VERSION });
    this.#current = { pem: { cert, key }, context, x509: new X509Certificate(cert) };
    return true;
  }
}

export interface CertificatesOptions {
  readonly own: CertificateFiles;
  /** For names that the own certificate is not for. */
  readonly region: CertificateFiles | undefined;
  readonly logger: Logger;
  readonly intervalMs?: number | undefined;
}

/** The certificates of a proxy: its own, and maybe one for the names of its region's sites. */
export class Certificates {
  readonly #own: WatchedCertificate;
  readonly #region: WatchedCertificate | undefined;
  readonly #logger: Logger;
  readonly #intervalMs: number;
  readonly #stopping = new AbortController();

  constructor({ own, region, logger, intervalMs = LOOK_INTERVAL_MS }: CertificatesOptions) {
    this.#own = new WatchedCertificate(own);
    this.#region = region && new WatchedCertificate(region);
    this.#logger = logger;
    this.#intervalMs = intervalMs;
  }

  /** @throws ConfigError naming the files that cannot be used */
  async load(): Promise<void> {
    for (const one of this.#all) {
      try {
        await one.refresh();
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
        if (!(await one.refresh(force))) continue;
        this.#logger.info({ file: one.files.certPath }, 'the certificate was read again');
        onNew();
      } catch (error) {
        this.#logger.error(
          { file: one.files.certPath, reason: messageOf(error) },
          'the certificate cannot be read again; the old one stays',
        );
      }
    }
  }
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
