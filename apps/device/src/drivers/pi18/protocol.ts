import { quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { caretFormat } from '../voltronic/caret-frame.ts';
import { escapedCheckBytes } from '../voltronic/check-bytes.ts';
import { numberIn } from '../voltronic/fields.ts';
import type { Answers } from '../voltronic/hardware.ts';
import { hasBms } from '../voltronic/labels.ts';
import type { SingleInverterProtocol } from '../voltronic/single-inverter.ts';
import { BLOCKS } from './blocks.ts';
import { powersOf } from './powers.ts';
import { FLAG, FWS, GENERAL, GS, ID, MCHGCR, MOD, MUCHGCR, PI, PIRI, RATING, VFW } from './queries.ts';
import { currentsIn, settingFromCommand, settingsOf } from './settings.ts';

const FRAMES = { checkBytes: escapedCheckBytes, trailerLength: 3 } as const;

export const CHECKED_FORMAT = caretFormat({ ...FRAMES, sendsCheckBytes: true });
/** For inverters that do not understand requests with check bytes. */
export const UNCHECKED_FORMAT = caretFormat({ ...FRAMES, sendsCheckBytes: false });

export const STATE_OF_CHARGE = quantities.stateOfCharge('Battery state of charge');

export const PI18_PROTOCOL: SingleInverterProtocol = {
  name: 'PI18',
  protocol: PI,
  always: [GS, MOD],
  often: [PIRI, FWS, FLAG],
  seldom: [ID, VFW, MCHGCR, MUCHGCR],
  once: [],
  identity: ID,
  blocks: BLOCKS,
  derivedValues: (answers) => [...powers(answers), ...stateOfCharge(answers)],
  settingsIn: (answers) =>
    settingsOf({
      ratings: answers.get(PIRI.command) ?? undefined,
      chargeCurrents: currentsIn(answers.get(MCHGCR.command)?.[0] ?? ''),
      gridChargeCurrents: currentsIn(answers.get(MUCHGCR.command)?.[0] ?? ''),
    }),
  modelOf,
  settingFromCommand,
};

function powers(answers: Answers): readonly Entry[] {
  const general = answers.get(GS.command);
  const mode = answers.get(MOD.command);
  return general ? powersOf(general, mode === null ? null : mode?.[0]) : [];
}

/** Known where a battery reports it; also while the type of the battery is unknown. */
function stateOfCharge(answers: Answers): readonly Entry[] {
  const general = answers.get(GS.command);
  const type = numberIn(answers.get(PIRI.command)?.[RATING.batteryType]);
  if (!general || (type !== null && !hasBms(type))) return [];
  return [[STATE_OF_CHARGE, numberIn(general[GENERAL.capacity])]];
}

function modelOf(answers: Answers): string {
  const ratings = answers.get(PIRI.command);
  const voltAmperes = numberIn(ratings?.[RATING.apparentPower]);
  const tenthVolts = numberIn(ratings?.[RATING.batteryVoltage]);
  return voltAmperes === null || tenthVolts === null
    ? 'Voltronic'
    : `Voltronic ${voltAmperes / 1000} kVA ${tenthVolts / 10} V`;
}
