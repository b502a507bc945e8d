import { quantities } from '@heliograph/metrics';
import type { DeyeRegisterRow } from './row.ts';
import { isThreePhase, type Profile } from './row.ts';
import { type DeyeSettingSpec, SETTING_SPECS } from './setting-specs.ts';

/** The inverter keeps minutes; its screen and existing clients offer every fifth. */
const TIME_STEP_MINUTES = 5;

/** Kinds of values whose unit on high-voltage models is undocumented, or differs between sources. */
const UNKNOWN_ON_HV: readonly DeyeSettingSpec['kind'][] = ['volts', 'offset watts'];

/** The least and the most watts by which the power at the meter may differ from zero. */
const OFFSET_WATTS = { single: [0, 500], three: [-500, 500] } as const;

/**
 * The settings of a profile.
 *
 * @param ratedW the inverter's rated power; raises the bounds of powers where it is higher than theirs
 */
export function settingsFor(profile: Profile, ratedW: number | null): readonly DeyeRegisterRow[] {
  return SETTING_SPECS.flatMap((spec) => {
    const address = isThreePhase(profile) ? spec.at.three : spec.at.single;
    const isUnknown = profile === 'three-phase HV' && UNKNOWN_ON_HV.includes(spec.kind);
    return address === undefined || isUnknown ? [] : [rowOf(spec, address, profile, ratedW)];
  });
}

function rowOf(
  spec: DeyeSettingSpec,
  address: number,
  profile: Profile,
  ratedW: number | null,
): DeyeRegisterRow {
  const { name } = spec;
  const registers = [address];
  const three = isThreePhase(profile);
  const coarse = profile === 'three-phase HV' ? 10 : 1;
  switch (spec.kind) {
    case 'options':
      return {
        quantity: quantities.selectSetting(name, Object.values(spec.labels)),
        registers,
        type: 'code',
        labels: spec.labels,
        ...(spec.mask === undefined ? {} : { mask: spec.mask }),
      };
    case 'two-bit options': {
      const labels = three ? spec.three : spec.single;
      const mask = Object.keys(labels).reduce((bits, code) => bits | Number(code), 0);
      return {
        quantity: quantities.selectSetting(name, Object.values(labels)),
        registers,
        type: 'code',
        labels,
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
