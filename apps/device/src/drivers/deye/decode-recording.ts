import type { DecodedUnit } from '../driver.ts';
import { recordedRegisters } from '../modbus/recorded-registers.ts';
import { readClock } from '../modbus/texts.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import { DEVICE_TYPE_REGISTER, deviceType } from './device-types.ts';
import { identityOf } from './identity.ts';
import { readingOf } from './reading.ts';
import { PROFILES, type Profile } from './row.ts';
import { planUnits, quantitiesOf } from './unit-plan.ts';

/** Only three-phase inverters have registers from here on that are read here. */
const THREE_PHASE_ONLY = 500;

/** The clock of three-phase inverters; single-phase ones have no date in these registers. */
const THREE_PHASE_CLOCK = [62, 63, 64] as const;

/**
 * Decodes what was recorded of an inverter, with the maps that live inverters are read by.
 *
 * @throws BadRecording when a frame must be rejected, or it is of another kind of inverter
 */
export function decodeRecording(recording: Recording): readonly DecodedUnit[] {
  const frame: RegisterValues = recordedRegisters(recording);
  const { profile, isAssumed } = profileOf(frame, recording.variant);
  return planUnits(identityOf(profile, frame), frame, 'inverter').flatMap((plan) => {
    const reading = readingOf(plan, frame, 'exact');
    const quantities = quantitiesOf(plan).filter(({ name }) => reading.has(name));
    return quantities.length === 0
      ? []
      : [
          {
            kind: plan.kind,
            model: plan.model,
            quantities,
            reading,
            ...(isAssumed ? { assumedVariant: profile } : {}),
          },
        ];
  });
}

/** The profile of the device type, else the variant that the recording names, else that of its registers. */
function profileOf(frame: RegisterValues, variant: string | undefined) {
  const code = frame.get(DEVICE_TYPE_REGISTER);
  if (code !== undefined) {
    const type = deviceType(code);
    if (type?.profile === undefined) {
      throw new BadRecording(`${type?.name ?? code} in register 0 is no hybrid inverter of Deye`);
    }
    return { profile: type.profile, isAssumed: false };
  }
  const named = PROFILES.find((profile) => profile === variant);
  if (named !== undefined) return { profile: named, isAssumed: false };
  if (variant !== undefined && variant !== 'deye') {
    throw new BadRecording(`"${variant}" is no variant of Deye; there are ${PROFILES.join(', ')}`);
  }
  const clock = THREE_PHASE_CLOCK.map((register) => frame.get(register) ?? 0);
  const three = Math.max(0, ...frame.keys()) >= THREE_PHASE_ONLY || readClock(clock) !== null;
  const profile: Profile = three ? 'three-phase LV' : 'single-phase';
  return { profile, isAssumed: true };
}
