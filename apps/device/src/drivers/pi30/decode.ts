import type { DecodedUnit } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { Pi30Fields } from './fields.ts';
import { ACKNOWLEDGED, REFUSED } from './frame.ts';
import { BLOCKS, feedsIn, inverterValues, parallelValues, settingsIn } from './inverter.ts';
import { QGMN, QID, QMN } from './map/identity.ts';
import { exists, MOST_INVERTERS, PARALLEL, parallelQuery } from './map/parallel.ts';
import type { Query } from './query.ts';
import { recordedAnswers } from './recorded-exchange.ts';
import { QFLAG } from './settings/flags.ts';
import { settingFromCommand } from './settings/setting-from-command.ts';

const OWN: readonly Query[] = [...BLOCKS.map(([query]) => query), QFLAG, QGMN];
const PARALLEL_QUERIES = Array.from({ length: MOST_INVERTERS }, (_, number) => parallelQuery(number));
const QUERIES = [...OWN, ...PARALLEL_QUERIES];

/** See {@link ByteFamily.decode}. */
export function decode(recording: Recording): readonly DecodedUnit[] {
  const recorded = recordedAnswers(recording);
  const answers = new Map<string, Pi30Fields>();
  const told: Entry[] = [];
  for (const { command, text } of recorded) {
    // Among many answers a refusal only says what this model does not have.
    if (text === REFUSED && recorded.length > 1) continue;
    if (text === ACKNOWLEDGED || text === REFUSED) told.push(acknowledged(command, text));
    else answers.set(...answerOf(command, text));
  }
  const units = [...ownUnit(answers, told), ...otherUnits(answers)];
  if (units.length > 0) return units;
  throw new BadRecording('nothing in the recording tells a value');
}

/** The question, by its command or else by the looks of its answer, and what was answered. */
function answerOf(command: string | undefined, text: string): [command: string, fields: Pi30Fields] {
  const named = command === undefined ? QUERIES : QUERIES.filter((query) => query.command === command);
  if (named.length === 0) throw new BadRecording(`${command} is not a question that is known here`);
  const fitting = named.flatMap((query): [string, Pi30Fields][] => {
    const fields = query.parse(text);
    return fields === undefined ? [] : [[query.command, fields]];
  });
  const [first, second] = fitting;
  if (first === undefined)
    throw new BadRecording(`"(${text}" is not an answer to ${command ?? 'any question'}`);
  if (second !== undefined && command === undefined) {
    throw new BadRecording(`"(${text}" can answer several questions; say in "request" which was asked`);
  }
  return first;
}

function acknowledged(command: string | undefined, text: string): Entry {
  if (text === REFUSED) {
    throw new BadRecording(
      `the inverter refused ${command ?? 'the command'} with (NAK: it does not know it, or not this value`,
    );
  }
  const setting = command === undefined ? undefined : settingFromCommand(command);
  if (setting === undefined) {
    throw new BadRecording(
      `${command ?? 'a command'} was acknowledged, and is not a setting that is known here`,
    );
  }
  return setting;
}

/** The inverter that the cable goes to. */
function ownUnit(answers: ReadonlyMap<string, Pi30Fields>, told: readonly Entry[]): readonly DecodedUnit[] {
  const values = inverterValues(answers, settingsIn(answers), feedsIn(answers) ?? false);
  // What a command has set is newer than what was read before it.
  const toldNames = new Set(told.map(([{ name }]) => name));
  const all = [...values.filter(([{ name }]) => !toldNames.has(name)), ...told];
  return all.length === 0 ? [] : [unitOf(all, answers.get(QMN.command)?.[0] ?? null)];
}

/** Inverters that are seen through another one, which is not counted twice. */
function otherUnits(answers: ReadonlyMap<string, Pi30Fields>): readonly DecodedUnit[] {
  const own = answers.get(QID.command)?.[0];
  return PARALLEL_QUERIES.flatMap(({ command }) => {
    const fields = answers.get(command);
    if (fields === undefined || !exists(fields) || fields[PARALLEL.serial] === own) return [];
    return [unitOf(parallelValues(fields), null)];
  });
}

function unitOf(values: readonly Entry[], model: string | null): DecodedUnit {
  return {
    kind: 'inverters',
    model,
    quantities: quantitiesOf(values),
    reading: readingOf(values),
  };
}
