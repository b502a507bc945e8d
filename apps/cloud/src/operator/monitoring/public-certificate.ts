import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { type CheckResult, certificateCheck, type Validity } from '@heliograph/telemetry';

/** How often the certificate is looked at, in milliseconds. */
const INTERVAL_MS = 60 * 60_000;
/** How often an expiry that is near is logged, in milliseconds. */
const WARNING_INTERVAL_MS = 24 * 60 * 60_000;
const TIMEOUT_MS = 5_000;

/**
 * Watches the certificate of the cloud's public URL, which the reverse proxy before it shows: without it neither clients nor
 * devices reach the cloud.
 */
export class PublicCertificate {
  readonly #url: () => string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #validity: Validity | undefined;
  #warnedMs = Number.NEGATIVE_INFINITY;

  /** @param url the public URL */
  constructor(url: () => string, clock: Clock, logger: Logger) {
    this.#url = url;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Undefined while it is not known, as where the public URL does not lead back here. */
  get validity(): Validity | undefined {
    return this.#validity;
  }

  /** Looks at it now and every hour, where the public URL has TLS. */
  start(): void {
    if (!this.#url().startsWith('https:')) return;
    void this.look();
    this.#timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async look(): Promise<void> {
    try {
      this.#validity = await validityAt(new URL(this.#url()));
      this.#warn(this.#validity);
    } catch (error) {
      this.#logger.debug({ reason: messageOf(error) }, 'the certificate of the public URL cannot be read');
    }
  }

  /** How it does. Other processes of the cloud have the same, so that none is taken out of service for it. */
  check(): CheckResult {
    if (this.#validity === undefined)
      return { status: 'ok', detail: 'The certificate of the public URL is not known' };
    const { status, detail } = certificateCheck(this.#validity, this.#clock.now());
    return { status: status === 'ok' ? 'ok' : 'warning', detail };
  }

  #warn(validity: Validity): void {
    const nowMs = this.#clock.now();
    const { status, detail } = certificateCheck(validity, nowMs);
    if (status === 'ok' || nowMs - this.#warnedMs < WARNING_INTERVAL_MS) return;
    this.#warnedMs = nowMs;
    this.#logger.warn({ url: this.#url() }, detail);
  }
}

/** Dates of the certificate that a server shows. It is not verified: it may have expired, or be of a private authority. */
function validityAt({ hostname, port }: URL): Promise<Validity> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const { promise, resolve, reject } = Promise.withResolvers<Validity>();
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...servername,
  });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no answer')));
  socket.once('error', reject);
  socket.once('close', () => reject(new Error('the connection was closed')));
  socket.once('secureConnect', () => {
    const { validFromDate, validToDate } = new X509Certificate(socket.getPeerCertificate().raw);
    resolve({ fromMs: validFromDate.getTime(), toMs: validToDate.getTime() });
    socket.destroy();
  });
  return promise;
}
