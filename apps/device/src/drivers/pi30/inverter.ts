import { quantities } from '@heliograph/metrics';
import type { Entry } from '../entries.ts';
import { type AnswerBlocks, blockValues, settingValues } from '../voltronic/answer-blocks.ts';
import { type AnswerFields, numberIn, readRows } from '../voltronic/fields.ts';
import type { Answers } from '../voltronic/hardware.ts';
import { hasBms } from '../voltronic/labels.ts';
import type { CommandSetting } from '../voltronic/setting.ts';
import { GENERAL, GENERAL_ROWS, QPIGS, QPIGS2, SECOND_ROWS } from './map/general.ts';
import {
  CHARGE_CURRENT_ROWS,
  currentsIn,
  FIRMWARE_ROWS,
  GRID_CHARGE_CURRENT_ROWS,
  MODEL_ROWS,
  PROTOCOL_ROWS,
  QGMN,
  QID,
  QMCHGCR,
  QMN,
  QMUCHGCR,
  QPI,
  QVFW,
  SERIAL_ROWS,
} from './map/identity.ts';
import { MODE_ROWS, QMOD } from './map/mode.ts';
import { PARALLEL_ROWS } from './map/parallel.ts';
import { OUTPUT_MODE_ROWS, QOPM, QPIRI, RATING, RATING_ROWS } from './map/ratings.ts';
import { QPIWS, WARNING_ROWS } from './map/warnings.ts';
import { ownPowers, parallelPowers } from './powers.ts';
import { feedsGrid, QFLAG } from './settings/flags.ts';
import { settingsOf } from './settings/index.ts';

/** The map: the rows of each answer, in the order of display. */
export const BLOCKS: AnswerBlocks = [
  [QPI, PROTOCOL_ROWS],
  [QMN, MODEL_ROWS],
  [QID, SERIAL_ROWS],
  [QVFW, FIRMWARE_ROWS],
  [QMOD, MODE_ROWS],
  [QPIGS, GENERAL_ROWS],
  [QPIGS2, SECOND_ROWS],
  [QPIWS, WARNING_ROWS],
  [QPIRI, RATING_ROWS],
  [QOPM, OUTPUT_MODE_ROWS],
  [QMCHGCR, CHARGE_CURRENT_ROWS],
  [QMUCHGCR, GRID_CHARGE_CURRENT_ROWS],
];

export const STATE_OF_CHARGE = quantities.stateOfCharge('Battery state of charge');

/** The model that numbers its charger priorities differently. */
const OWN_CHARGER_NUMBERS = '045';

/** @param parallelNumber its number among several; undefined for one that stands alone */
export function settingsIn(answers: Answers, parallelNumber?: number): readonly CommandSetting[] {
  return settingsOf({
    ratings: answers.get(QPIRI.command) ?? undefined,
    chargeCurrents: currentsIn(answers.get(QMCHGCR.command)?.[0] ?? ''),
    gridChargeCurrents: currentsIn(answers.get(QMUCHGCR.command)?.[0] ?? ''),
    parallelNumber,
    ownChargerNumbers: answers.get(QGMN.command)?.[0] === OWN_CHARGER_NUMBERS,
  });
}

/** Whether PV is fed into the grid, by the flag or else by the status; undefined without either. */
export function feedsIn(answers: Answers): boolean | undefined {
  const status = answers.get(QPIGS.command)?.[GENERAL.feedsGrid];
  return feedsGrid(answers.get(QFLAG.command)?.[0]) ?? (status === undefined ? undefined : status === '1');
}

/**
 * All values of the inverter at the cable.
 *
 * @param feeds whether PV is fed into the grid
 */
export function inverterValues(
  answers: Answers,
  settings: readonly CommandSetting[],
  feeds: boolean,
): readonly Entry[] {
  const general = answers.get(QPIGS.command);
  return [
    ...blockValues(BLOCKS, answers),
    ...(general ? generalValues(answers, general, feeds) : []),
    ...settingValues(settings, answers),
  ];
}

function generalValues(answers: Answers, general: AnswerFields, feeds: boolean): readonly Entry[] {
  const ratings = answers.get(QPIRI.command);
  const bms = hasBms(numberIn(ratings?.[RATING.batteryType]));
  const powers = ownPowers({
    general,
    second: answers.get(QPIGS2.command),
    mode: modeIn(answers.get(QMOD.command)),
    feeds,
  });
  return bms ? [...powers, [STATE_OF_CHARGE, numberIn(general[GENERAL.capacity])]] : powers;
}

function modeIn(fields: AnswerFields | null | undefined): string | null | undefined {
  return fields === null ? null : fields?.[0];
}

/** All values of an inverter that answers through another one. */
export function parallelValues(fields: AnswerFields): readonly Entry[] {
  return [...readRows(PARALLEL_ROWS, fields), ...parallelPowers(fields)];
}
