import type { SiteUpdates } from '@heliograph/contracts';
import { type Logger, messageOf } from '@heliograph/kit';
import {
  DEFAULT_UPDATE_SETTINGS,
  readUpdateSettings,
  storeUpdateSettings,
  type UpdateSettings,
} from './update-settings.ts';

export interface UpdateChoiceOptions {
  readonly dataFolder: string;
  /** From the configuration file, which comes first. */
  readonly configured: Partial<{ [Key in keyof UpdateSettings]: UpdateSettings[Key] | undefined }>;
  readonly hasCloud: boolean;
  readonly logger: Logger;
}

/** The owner's choice of releases: of the configuration file, or else as the cloud has it for the site. */
export class UpdateChoice {
  readonly #options: UpdateChoiceOptions;
  #settings: UpdateSettings;

  private constructor(options: UpdateChoiceOptions, settings: UpdateSettings) {
    this.#options = options;
    this.#settings = settings;
  }

  static async open(options: UpdateChoiceOptions): Promise<UpdateChoice> {
    // Until the cloud answers, what it last answered.
    const stored = options.hasCloud ? await readUpdateSettings(options.dataFolder) : DEFAULT_UPDATE_SETTINGS;
    const choice = new UpdateChoice(options, stored);
    await choice.learn(stored);
    return choice;
  }

  get settings(): UpdateSettings {
    return this.#settings;
  }

  /** Takes over what the owner chose for the site, for `heliograph device update` to read. */
  async learn(ofSite: SiteUpdates): Promise<void> {
    const { configured, dataFolder, logger } = this.#options;
    this.#settings = {
      channel: configured.channel ?? ofSite.channel,
      automatic: configured.automatic ?? ofSite.automatic,
    };
    await storeUpdateSettings(dataFolder, this.#settings).catch((error: unknown) => {
      logger.warn({ reason: messageOf(error) }, 'the choice of updates cannot be stored');
    });
  }
}
