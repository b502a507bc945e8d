import { quantities } from '@heliograph/metrics';
import { isThreePhase, type Profile } from './profile.ts';
import type { Row } from './row.ts';
import { SETTING_SPECS, type SettingSpec } from './setting-places.ts';

/** The inverter keeps minutes; its screen and existing clients offer every fifth. */
const TIME_STEP_MINUTES = 5;

/** What high-voltage models count in units of their own, which nobody tells, or sources tell differently. */
const NOT_KNOWN_ON_HV: readonly SettingSpec['takes'][] = ['volts', 'offset watts'];

/** The lowest and the highest number of watts by which the meter may be held off zero. */
const OFFSET_WATTS = { single: [0, 500], three: [-500, 500] } as const;

/**
 * The settings of a profile.
 *
 * @param ratedW the inverter's rated power; raises the bounds of powers where it is higher than theirs
 */
export function settingsFor(profile: Profile, ratedW: number | null): readonly Row[] {
  return SETTING_SPECS.flatMap((spec) => {
    const address = isThreePhase(profile) ? spec.at.three : spec.at.single;
    const notKnown = profile === 'three-phase HV' && NOT_KNOWN_ON_HV.includes(spec.takes);
    return address === undefined || notKnown ? [] : [rowOf(spec, address, profile, ratedW)];
  });
}

function rowOf(spec: SettingSpec, address: number, profile: Profile, ratedW: number | null): Row {
  const { name } = spec;
  const registers = [address];
  const three = isThreePhase(profile);
  const coarse = profile === 'three-phase HV' ? 10 : 1;
  switch (spec.takes) {
    case 'options':
      return {
        quantity: quantities.selectSetting(name, Object.values(spec.texts)),
        registers,
        type: 'code',
        texts: spec.texts,
        ...(spec.mask === undefined ? {} : { mask: spec.mask }),
      };
    case 'two-bit options': {
      const texts = three ? spec.three : spec.single;
      const mask = Object.keys(texts).reduce((bits, code) => bits | Number(code), 0);
      return {
        quantity: quantities.selectSetting(name, Object.values(texts)),
        registers,
        type: 'code',
        texts,
        mask,
      };
    }
    case 'on or off':
      return { quantity: quantities.switchSetting(name), registers, type: 'switch', mask: spec.mask };
    case 'time':
      return { quantity: quantities.timeSetting(name, TIME_STEP_MINUTES), registers, type: 'hhmm' };
    case 'watts': {
      const most = three ? spec.most[coarse === 1 ? 'low' : 'high'] : spec.most.single;
      const max = Math.floor(Math.max(most, ratedW ?? 0) / coarse) * coarse;
      const quantity = quantities.numberSetting(name, 'W', { min: 0, max, step: coarse });
      return { quantity, registers, type: 'u16', scale: coarse };
    }
    case 'offset watts': {
      const [min, max] = three ? OFFSET_WATTS.three : OFFSET_WATTS.single;
      const quantity = quantities.numberSetting(name, 'W', { min, max, step: 1 });
      return { quantity, registers, type: 's16' };
    }
    case 'volts': {
      const quantity = quantities.numberSetting(name, 'V', { min: spec.min, max: spec.max, step: 0.1 }, 1);
      return { quantity, registers, type: 'u16', scale: 0.01 };
    }
    case 'number': {
      const quantity = quantities.numberSetting(name, spec.unit, { min: 0, max: spec.max, step: 1 });
      return { quantity, registers, type: 'u16' };
    }
  }
}
