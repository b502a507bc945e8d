import { LinkDown } from '../../bus/failures.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import type { VoltronicLine } from '../voltronic/line.ts';
import type { Query } from '../voltronic/query.ts';
import { QID } from './map/identity.ts';
import { isPresent, MAX_INVERTERS, PARALLEL, parallelQuery } from './map/parallel.ts';
import { QPIRI, RATING } from './map/ratings.ts';

/** The inverters that answer through the one that the cable goes to. */
export interface ParallelSystem {
  /** The number of the inverter with the cable; undefined for a single inverter. */
  readonly ownNumber: number | undefined;
  readonly others: readonly {
    readonly number: number;
    readonly query: Query;
    readonly fields: AnswerFields;
  }[];
  /** Numbers that no inverter has. */
  readonly vacant: readonly Query[];
}

export const SINGLE_INVERTER: ParallelSystem = { ownNumber: undefined, others: [], vacant: [] };

const SINGLE = 0;

/**
 * Reads every inverter of a parallel system. One that is not found among them by its serial number is treated as a
 * single inverter: it would be counted twice.
 *
 * @throws LinkDown when nothing answers any more
 */
export async function findParallel(
  line: VoltronicLine,
  answers: ReadonlyMap<string, AnswerFields>,
): Promise<ParallelSystem> {
  const mode = numberIn(answers.get(QPIRI.command)?.[RATING.outputMode]);
  const [serial] = answers.get(QID.command) ?? [];
  if (mode === null || mode === SINGLE || serial === undefined) return SINGLE_INVERTER;
  const found: { number: number; fields: AnswerFields }[] = [];
  const vacant: Query[] = [];
  for (let number = 0; number < MAX_INVERTERS; number++) {
    const fields = await readParallelStatus(line, number);
    if (fields === undefined) break;
    if (isPresent(fields)) found.push({ number, fields });
    else vacant.push(parallelQuery(number));
  }
  const own = found.find(({ fields }) => fields[PARALLEL.serial] === serial);
  if (own === undefined) return SINGLE_INVERTER;
  return {
    ownNumber: own.number,
    others: found
      .filter((other) => other !== own)
      .map(({ number, fields }) => ({
        number,
        query: parallelQuery(number, fields[PARALLEL.serial]),
        fields,
      })),
    vacant,
  };
}

/** Undefined for a number that the inverter refuses or does not answer. */
async function readParallelStatus(line: VoltronicLine, number: number): Promise<AnswerFields | undefined> {
  try {
    return await line.read(parallelQuery(number));
  } catch (error) {
    if (error instanceof LinkDown) return undefined;
    throw error;
  }
}
