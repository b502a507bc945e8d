import type { MetricValue, Quantity } from '@heliograph/metrics';
import { type CommandSetting, settingWithCommand } from '../../voltronic/setting.ts';
import { settingsOf } from './index.ts';

/** More than any model lists. */
const MAX_AMPERES = 200;

const AMPERES = Array.from({ length: MAX_AMPERES }, (_, index) => index + 1);
const BATTERY_VOLTS = ['48', '24', '12'];
const NUMBERS = [undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8];

/** The setting and value of an acknowledged command of any model; undefined when no setting has this command. */
export function settingFromCommand(command: string): readonly [Quantity, MetricValue] | undefined {
  return settingWithCommand(everySetting(), command);
}

function everySetting(): readonly CommandSetting[] {
  return BATTERY_VOLTS.flatMap((volts) =>
    NUMBERS.flatMap((parallelNumber) =>
      settingsOf({
        ratings: ['', '', '', '', '', '', '', volts],
        chargeCurrents: AMPERES,
        gridChargeCurrents: AMPERES,
        parallelNumber,
        ownChargerNumbers: false,
      }),
    ),
  );
}
