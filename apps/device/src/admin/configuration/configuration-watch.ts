import { stat } from 'node:fs/promises';
import type { Logger } from '@heliograph/kit';
import type { DeviceConfig } from '../../config/config.ts';
import { configTextOf } from '../../config/last-working.ts';
import { UnusableConfigFile } from '../../config/read-config-file.ts';
import type { Restarts } from './editable-configuration.ts';
import { settingsIn } from './file-settings.ts';

/** How often the file is looked at, in milliseconds. */
const CHECK_MS = 2_000;

export interface ConfigurationWatchOptions {
  /** The configuration of the start. */
  readonly config: Pick<DeviceConfig, 'dataFolder' | 'configFile' | 'configText' | 'fileFault'>;
  readonly restarts: Pick<Restarts, 'soon'> | undefined;
  readonly logger: Logger;
}

/**
 * Notices that the configuration file of the running device cannot be used any more, or can again. A device that was
 * started without it restarts then; others take a file that a person edits at their next start.
 */
export class ConfigurationWatch {
  readonly #options: ConfigurationWatchOptions;
  #fault: UnusableConfigFile | null;
  #seen: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ConfigurationWatchOptions) {
    this.#options = options;
    this.#fault = options.config.fileFault;
  }

  /** Null while the file can be used. */
  get fault(): UnusableConfigFile | null {
    return this.#fault;
  }

  /** The source of the running configuration. */
  get source(): 'file' | 'last_working' | 'nothing' {
    if (this.#fault === null) return 'file';
    return this.#options.config.configText === undefined ? 'nothing' : 'last_working';
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running ??= this.#check().finally(() => {
        this.#running = undefined;
      });
    }, CHECK_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #check(): Promise<void> {
    const { configFile, dataFolder } = this.#options.config;
    const found = await stat(configFile).catch(() => undefined);
    // A mode counts as a change, which leaves the time of the content as it was.
    const stamp = `${found?.ino} ${found?.size} ${found?.ctimeMs}`;
    // A certificate or a profile that the file names may be mended without it.
    if (stamp === this.#seen && this.#fault === null) return;
    this.#seen = stamp;
    this.#turn(await faultOf(configFile, dataFolder));
  }

  #turn(fault: UnusableConfigFile | null): void {
    const { config, restarts, logger } = this.#options;
    const isNew = fault?.message !== this.#fault?.message;
    this.#fault = fault;
    if (!isNew) return;
    if (fault !== null) {
      const reason = fault.message;
      logger.error({ reason }, 'the configuration file cannot be used: the device goes on as it is');
      return;
    }
    logger.info('the configuration file can be used again');
    if (config.fileFault !== null) restarts?.soon('the configuration file was mended');
  }
}

async function faultOf(file: string, dataFolder: string): Promise<UnusableConfigFile | null> {
  try {
    await settingsIn((await configTextOf(file, dataFolder)) ?? '', file);
    return null;
  } catch (error) {
    if (error instanceof UnusableConfigFile) return error;
    throw error;
  }
}
