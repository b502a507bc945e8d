import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attach } from '@heliograph/dev/serial';
import type { Hardware } from '../../../src/drivers/driver.ts';
import { openPi17 } from '../../../src/drivers/pi17/family.ts';
import type { Recording } from '../../../src/drivers/recording.ts';
import { plainCheckBytes } from '../../../src/drivers/voltronic/check-bytes.ts';
import { skippedPauses } from '../skipped-pauses.ts';
import { type CaretAnswers, caretInverter, commandInCaret } from '../voltronic/caret-inverter.ts';
import { FAST_PACE, type PluggedIn, plugInto } from '../voltronic/plugged-in.ts';

function recorded(id: string): Buffer {
  const file = join(import.meta.dirname, `../../../src/drivers/pi17/captures/pi17_${id}.json`);
  const { response }: Recording = JSON.parse(readFileSync(file, 'utf8'));
  return Buffer.from(response?.hex ?? '', 'hex');
}

/** A status with a battery of 50 V that discharges with 136.5 A. */
export const DISCHARGING =
  '0000,0000,0000,0000,0500,047,-01365,2389,2427,2459,5002,0000,0000,0000,2378,2434,2455,5001,,,,029,031,000,0';

/** Answers of real units, from jblance/mpp-solar. */
export const realAnswers = (): Record<string, string | Buffer> => ({
  PI: recorded('pi'),
  GS: recorded('gs'),
  PS: '00263,00381,,-00855,-03141,-03156,-07152,0000,0000,0000,00000,0193,0147,0195,00535,003,1,1,1,2,2,1',
  MOD: recorded('mod'),
  PIRI: recorded('piri'),
  MD: '000,010000,99,3,3,2300,2300,04,120',
  ID: '1496161704100242000000',
  VFW: 'VERFW:00001.01',
  VFW2: 'VERFW2:00001.01',
  WS: '1,0,0,1,1,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,',
  FLAG: '0,0,1,0,1',
  ET: '00006591',
  BATS: '2000,0584,0576,0000,000,0576,0460,0510,0460,0510,1,,,1,0540,000,0500,0250',
  HECS: Buffer.from('^D01900,0,0,0,0,0,0,0,0\x35\xfc\r', 'latin1'),
  CFS: '00,00',
  MAR: '2760,2300,2300,1840,5500,5000,5000,4500,999,005,9000,4000,4000,3000,8500,4500,4500,3500,0584,0480,2000,0050,010000,000000',
});

const FRAMES = { checkBytes: plainCheckBytes, sendsCheckBytes: false, trailerLength: 1 } as const;

export function inverter(answers: CaretAnswers): Attach {
  return caretInverter(FRAMES, answers);
}

export function plugIn(answers: CaretAnswers): Promise<PluggedIn> {
  return plugInto(inverter(answers), commandInCaret(FRAMES));
}

export function open({ bus }: Pick<PluggedIn, 'bus'>): Promise<Hardware> {
  return openPi17(bus, { pace: FAST_PACE, readBackTime: skippedPauses() });
}
