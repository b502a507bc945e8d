import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from '../../../src/drivers/recording.ts';

const RECORDED = ['qpi', 'qid', 'qpigs_a', 'qpiri_b', 'qmod_battery', 'qpiws_c', 'qflag_a', 'qmchgcr'];

/** Answers of real units, by command, as whole frames. */
export const REAL: Readonly<Record<string, Buffer>> = Object.fromEntries(
  RECORDED.map((id) => {
    const file = join(import.meta.dirname, '../../../src/drivers/pi30', 'captures', `pi30_${id}.json`);
    const { request, response } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
    return [request?.ascii ?? '', Buffer.from(response?.hex ?? '', 'hex')];
  }),
);
