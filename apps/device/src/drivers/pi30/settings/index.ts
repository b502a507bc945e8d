import type { CommandSetting } from '../../voltronic/setting.ts';
import { FLAG_SETTINGS } from './flags.ts';
import { currentSettings, voltageSettings } from './numbers.ts';
import { optionSettings } from './options.ts';
import type { Pi30SettingContext } from './setting.ts';

/** Everything that an inverter can be set to, and what it only shows of its settings. */
export function settingsOf(context: Pi30SettingContext): readonly CommandSetting[] {
  return [
    ...optionSettings(context),
    ...currentSettings(context),
    ...voltageSettings(context),
    ...FLAG_SETTINGS,
  ];
}
