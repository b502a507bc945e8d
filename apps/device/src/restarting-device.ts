import {
  Backoff,
  type Clock,
  ConfigError,
  createLogger,
  type Logger,
  messageOf,
  outsideOfRequests,
  type Running,
  standardError,
  systemClock,
  wait,
} from '@heliograph/kit';
import type { Restarts } from './admin/configuration/editable-configuration.ts';
import { LogTail } from './admin/diagnostics/log-tail.ts';
import { replaceText } from './common/replace-text.ts';
import type { DeviceConfig } from './config/config.ts';
import { exampleConfig } from './config/config-text.ts';
import { keepLastWorking } from './config/last-working.ts';
import { type DeviceAddress, type DeviceSurroundings, startDevice } from './device.ts';

/** Time for the answer to a configuration change to be sent, in milliseconds. */
const ANSWER_MS = 250;

/** How soon, and how late at most, a device that cannot even start as before tries again, in milliseconds. */
const RETRY_MS = { minMs: 500, maxMs: 30_000 };

export interface RestartingDeviceOptions extends Omit<DeviceSurroundings, 'restarts'> {
  /** Reads environment and configuration file, once no process has the data open. @throws ConfigError */
  readonly load: (clock: Clock, logger: Logger) => Promise<DeviceConfig>;
}

/**
 * Starts a device that starts again by itself, in the same process and on the same port, when its configuration was
 * changed from its pages. One that cannot start so is started as it was, and its configuration file put back.
 *
 * @throws as startDevice does
 */
export async function startRestartingDevice(
  options: RestartingDeviceOptions,
): Promise<Running<DeviceAddress>> {
  const device = new RestartingDevice(options);
  const facts = await device.start();
  return { facts, stop: () => device.stop() };
}

/** A mistake of the owner, or of the system, such as a port that is taken. */
function isExpected(error: unknown): boolean {
  return error instanceof ConfigError || (error instanceof Error && 'syscall' in error);
}

class RestartingDevice implements Restarts {
  readonly #options: RestartingDeviceOptions;
  readonly #logTail: LogTail;
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  #running: Running<DeviceAddress> | undefined;
  /** The configuration that it runs with, or last ran with. */
  #config: DeviceConfig | undefined;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  /** True until the instance that is about to stop has stopped. */
  #pending = false;
  /** Ends with the newest start, which a page may ask for before the one before it has ended. */
  #starting: Promise<unknown> = Promise.resolve();

  constructor(options: RestartingDeviceOptions) {
    this.#options = options;
    this.#logTail = options.logTail ?? new LogTail();
    this.#logger = options.logger ?? createLogger('device', undefined, this.#logTail.before(standardError()));
  }

  get problem(): string | null {
    return this.#problem;
  }

  get pending(): boolean {
    return this.#pending;
  }

  async start(): Promise<DeviceAddress> {
    const started = this.#load().then((config) => this.#startWith(config));
    this.#starting = started.catch(() => undefined);
    return await started;
  }

  soon(reason: string): void {
    if (this.#stopping.signal.aborted) return;
    this.#pending = true;
    clearTimeout(this.#timer);
    const restart = outsideOfRequests(() => {
      this.#starting = this.#starting.then(() => this.#restart(reason));
    });
    this.#timer = setTimeout(restart, ANSWER_MS);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#starting;
    await this.#running?.stop();
  }

  #load(): Promise<DeviceConfig> {
    const { clock = systemClock, load } = this.#options;
    return load(clock, this.#logger);
  }

  async #startWith(config: DeviceConfig): Promise<DeviceAddress> {
    const { clock, backupKeyCost } = this.#options;
    const start = (storeFailure?: string): Promise<Running<DeviceAddress>> =>
      startDevice(config, {
        ...(clock === undefined ? {} : { clock }),
        logger: this.#logger,
        logTail: this.#logTail,
        restarts: this,
        backupKeyCost,
        storeFailure,
      });
    const running = await start().catch(async (error: unknown) => {
      if (isExpected(error)) throw error;
      this.#logger.error({ err: error }, 'the device cannot start with what its store has');
      // The first error helps more where it was not the store.
      return start(messageOf(error)).catch(() => Promise.reject(error));
    });
    this.#running = running;
    const { facts } = running;
    await this.#keepWorking(config);
    // A port that the system picked is kept: open pages call it again.
    this.#config = { ...config, port: config.port === 0 ? Number(new URL(facts.url).port) : config.port };
    return facts;
  }

  async #restart(reason: string): Promise<void> {
    const before = this.#config;
    if (before === undefined || this.#stopping.signal.aborted) return;
    this.#logger.info({ reason }, 'the device restarts');
    await this.#stopRunning();
    this.#pending = false;
    if (this.#stopping.signal.aborted) return;
    this.#problem = null;
    try {
      const { port } = before;
      await this.#startWith({ ...(await this.#load()), port });
    } catch (error) {
      this.#problem = messageOf(error);
      this.#logger.error({ reason: this.#problem }, 'the device cannot start so: it starts as it was');
      await this.#restore(before);
    }
  }

  async #keepWorking({ dataFolder, configText, fileFault }: DeviceConfig): Promise<void> {
    if (fileFault !== null || configText === undefined) return;
    await keepLastWorking(dataFolder, configText).catch((error: unknown) => {
      this.#logger.warn({ reason: messageOf(error) }, 'no copy of the configuration file could be written');
    });
  }

  async #stopRunning(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    try {
      await running?.stop();
    } catch (error) {
      this.#logger.error({ reason: messageOf(error) }, 'a part of the device did not stop as it should');
    }
  }

  async #restore(before: DeviceConfig): Promise<void> {
    const { signal } = this.#stopping;
    try {
      // A file that a person is mending stays as it is.
      if (before.fileFault === null)
        await replaceText(before.configFile, before.configText ?? (await exampleConfig()));
    } catch (error) {
      this.#logger.error({ reason: messageOf(error) }, 'the configuration file could not be put back');
    }
    const backoff = new Backoff(RETRY_MS);
    while (!signal.aborted) {
      try {
        await this.#startWith(before);
        return;
      } catch (error) {
        this.#logger.error({ reason: messageOf(error) }, 'the device cannot start');
        await wait(backoff.nextMs(), signal);
      }
    }
  }
}
