import { quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { caretFormat } from '../voltronic/caret-frame.ts';
import { plainCheckBytes } from '../voltronic/check-bytes.ts';
import { labelIn, numberIn } from '../voltronic/fields.ts';
import type { Answers } from '../voltronic/hardware.ts';
import type { SingleInverterProtocol } from '../voltronic/single-inverter.ts';
import { BLOCKS, MODELS } from './blocks.ts';
import { powersOf } from './powers.ts';
import {
  BATS,
  BMS_FLAG,
  CFS,
  ET,
  FLAG,
  GENERAL,
  GS,
  HECS,
  ID,
  MAR,
  MD,
  MOD,
  PI,
  PIRI,
  PS,
  VFW,
  VFW2,
  WS,
} from './queries.ts';
import { settingFromCommand, settingsOf } from './settings.ts';

/** Requests have no check bytes; those of answers may be any byte. */
export const PI17_FORMAT = caretFormat({
  checkBytes: plainCheckBytes,
  sendsCheckBytes: false,
  trailerLength: 1,
});

export const STATE_OF_CHARGE = quantities.stateOfCharge('Battery state of charge');

export const PI17_PROTOCOL: SingleInverterProtocol = {
  name: 'PI17',
  protocol: PI,
  always: [GS, PS, MOD],
  often: [HECS, BATS, WS, CFS],
  seldom: [ID, VFW, VFW2, MD, PIRI, FLAG, ET],
  once: [MAR],
  identity: ID,
  blocks: BLOCKS,
  derivedValues: (answers) => [...powers(answers), ...stateOfCharge(answers)],
  settingsIn: (answers) =>
    settingsOf({
      ranges: answers.get(MAR.command) ?? undefined,
      energyControl: answers.get(HECS.command) ?? undefined,
    }),
  modelOf: (answers) => labelIn(answers.get(MD.command)?.[0], MODELS) ?? 'InfiniSolar',
  settingFromCommand,
};

function powers(answers: Answers): readonly Entry[] {
  const general = answers.get(GS.command);
  const power = answers.get(PS.command);
  const mode = answers.get(MOD.command);
  if (!general || !power) return [];
  return powersOf({ general, power, mode: mode === null ? null : mode?.[0] });
}

/** Known where a battery reports it; otherwise the inverter estimates it from the voltage. */
function stateOfCharge(answers: Answers): readonly Entry[] {
  const general = answers.get(GS.command);
  const hasBms = answers.get(FLAG.command)?.[BMS_FLAG] === '1';
  return general && hasBms ? [[STATE_OF_CHARGE, numberIn(general[GENERAL.capacity])]] : [];
}
