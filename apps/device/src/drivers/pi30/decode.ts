import type { DecodedUnit } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { AnswerFields } from '../voltronic/fields.ts';
import { TRAILER_LENGTH } from '../voltronic/frame-format.ts';
import type { Query } from '../voltronic/query.ts';
import { type RecordedFormat, recordedAnswers, withAcknowledged } from '../voltronic/recorded-answers.ts';
import { PI30_FORMAT } from './frame.ts';
import { BLOCKS, feedsIn, inverterValues, parallelValues, settingsIn } from './inverter.ts';
import { QGMN, QID, QMN } from './map/identity.ts';
import { isPresent, MAX_INVERTERS, PARALLEL, parallelQuery } from './map/parallel.ts';
import { QFLAG } from './settings/flags.ts';
import { settingFromCommand } from './settings/setting-from-command.ts';

const FORMAT: RecordedFormat = {
  ...PI30_FORMAT,
  commandOfFrame: (frame) => Buffer.from(frame.subarray(0, -TRAILER_LENGTH)).toString('latin1'),
  commandOfText: (text) => text,
  answerOfText: (text) =>
    text.startsWith('(') ? { text: text.slice(1) } : { fault: 'it does not begin with "("' },
};

const OWN: readonly Query[] = [...BLOCKS.map(([query]) => query), QFLAG, QGMN];
const PARALLEL_QUERIES = Array.from({ length: MAX_INVERTERS }, (_, number) => parallelQuery(number));
const QUERIES = [...OWN, ...PARALLEL_QUERIES];

/** See {@link ByteFamily.decode}. */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const { answers, acknowledged } = recordedAnswers(recording, FORMAT, {
    queries: QUERIES,
    settingFromCommand,
  });
  const units = [...ownUnit(answers, acknowledged), ...otherUnits(answers)];
  if (units.length > 0) return units;
  throw new BadRecording('nothing in the recording tells a value');
}

/** The inverter that the cable goes to. */
function ownUnit(
  answers: ReadonlyMap<string, AnswerFields>,
  acknowledged: readonly Entry[],
): readonly DecodedUnit[] {
  const values = inverterValues(answers, settingsIn(answers), feedsIn(answers) ?? false);
  const all = withAcknowledged(values, acknowledged);
  return all.length === 0 ? [] : [unitOf(all, answers.get(QMN.command)?.[0] ?? null)];
}

/** Inverters that are seen through another one, which is not counted twice. */
function otherUnits(answers: ReadonlyMap<string, AnswerFields>): readonly DecodedUnit[] {
  const own = answers.get(QID.command)?.[0];
  return PARALLEL_QUERIES.flatMap(({ command }) => {
    const fields = answers.get(command);
    if (fields === undefined || !isPresent(fields) || fields[PARALLEL.serial] === own) return [];
    return [unitOf(parallelValues(fields), null)];
  });
}

function unitOf(values: readonly Entry[], model: string | null): DecodedUnit {
  return {
    kind: 'inverters',
    model,
    quantities: quantitiesOf(values),
    reading: readingOf(values, 'exact'),
  };
}
