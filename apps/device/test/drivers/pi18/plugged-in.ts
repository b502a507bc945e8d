import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attach } from '@heliograph/dev/serial';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { openPi18 } from '../../../src/drivers/pi18/family.ts';
import type { Recording } from '../../../src/drivers/recording.ts';
import { escapedCheckBytes } from '../../../src/drivers/voltronic/check-bytes.ts';
import { skippedPauses } from '../skipped-pauses.ts';
import { type CaretAnswers, caretInverter, commandInCaret } from '../voltronic/caret-inverter.ts';
import { FAST_PACE, type PluggedIn, plugInto } from '../voltronic/plugged-in.ts';

const { response }: Recording = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../src/drivers/pi18/captures/pi18_gs_a.json'), 'utf8'),
);
export const REAL_GS = Buffer.from(response?.hex ?? '', 'hex');

/** Ratings of a real unit that stands alone, with these priorities. */
export const ratings = ({ output = 1, charger = 2, maxCharge = 60, mode = 0 } = {}): string =>
  `2300,243,2300,500,243,5600,5600,480,500,530,480,570,544,2,050,0${maxCharge},0,${output},${charger},9,0,0,${mode},1,1,00`;

/** Answers of real units, from jblance/mpp-solar. */
export const realAnswers = (): Record<string, string | Buffer> => ({
  PI: '18',
  GS: REAL_GS,
  MOD: '05',
  PIRI: ratings(),
  FWS: '00,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0',
  FLAG: '1,0,1,0,0,1,1,0,0',
  ID: '1496161704100242000000',
  VFW: '05402,08025,00000',
  MCHGCR: '010,020,030,040,050,060,070,080',
  MUCHGCR: '010,020,030,040,050,060',
});

const FRAMES = { checkBytes: escapedCheckBytes, sendsCheckBytes: true, trailerLength: 3 } as const;

export function inverter(answers: CaretAnswers, sendsCheckBytes = true): Attach {
  return caretInverter({ ...FRAMES, sendsCheckBytes }, answers);
}

export function plugIn(answers: CaretAnswers, sendsCheckBytes = true): Promise<PluggedIn> {
  return plugInto(inverter(answers, sendsCheckBytes), commandInCaret({ sendsCheckBytes }));
}

export function open(
  { bus }: Pick<PluggedIn, 'bus'>,
  options: Record<string, unknown> = {},
): Promise<Hardware> {
  return openPi18(bus, { unit: undefined, options }, { pace: FAST_PACE, readBackTime: skippedPauses() });
}
