import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { type ByteFamily, type Hardware, NotRecognised, type Target } from '../driver.ts';
import { quantitiesOf } from '../entries.ts';
import { sourcesOf } from '../voltronic/answer-blocks.ts';
import { escapedCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import { type LineInverter, VoltronicHardware } from '../voltronic/hardware.ts';
import { PACE, VoltronicLine } from '../voltronic/line.ts';
import type { Query } from '../voltronic/query.ts';
import { Rounds } from '../voltronic/rounds.ts';
import type { SingleInverterOptions } from '../voltronic/single-inverter.ts';
import { decode } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { PI30_FORMAT } from './frame.ts';
import { BLOCKS, feedsIn, inverterValues, parallelValues, settingsIn } from './inverter.ts';
import { QPIGS, QPIGS2 } from './map/general.ts';
import { PROTOCOL, QGMN, QID, QMCHGCR, QMN, QMUCHGCR, QPI, QVFW } from './map/identity.ts';
import { QMOD } from './map/mode.ts';
import { isPresent, SLAVE_REFUSAL } from './map/parallel.ts';
import { QPIRI, RATING } from './map/ratings.ts';
import { QPIWS } from './map/warnings.ts';
import { findParallel, type ParallelSystem, SINGLE_INVERTER } from './parallel-system.ts';
import { QFLAG } from './settings/flags.ts';

/** Voltronic's PI30 protocol, under many brands. */
export const pi30: ByteFamily = {
  name: 'pi30',
  title: 'Voltronic Axpert, MPP Solar, EASun',
  speaks: 'bytes',
  kinds: ['inverters'],
  unaddressed: true,
  line: { baudRate: 2_400, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp', 'hid'],
  checkedFrame: (frame) => withCheckBytes(frame, escapedCheckBytes),
  options: Type.Object(
    {
      parallel: Type.Optional(
        Type.Union([Type.Literal('system'), Type.Literal('alone')], {
          default: 'system',
          description:
            'of a parallel system: all inverters through this one (system), or this one alone, when each has a cable',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  probe: { first: 1 },
  describedUnits: DESCRIBED_UNITS,
  protocols: ['voltronic_pi30'],
  decode,
  open: (bus, target, clock = systemClock) => openPi30(bus, target, { clock }),
};

/** Read once when opening; an inverter refuses those that it does not know. */
const OPTIONAL = [QPIRI, QPIGS2, QPIWS, QFLAG, QID, QVFW, QMN, QGMN, QMCHGCR, QMUCHGCR] as const;
const OFTEN: readonly Query[] = [QPIRI, QPIWS, QFLAG];
const SELDOM: readonly Query[] = [QID, QVFW, QMN, QPI, QMCHGCR, QMUCHGCR];

export type Pi30Options = Pick<SingleInverterOptions, 'pace' | 'clock' | 'readBackTime'>;

type OpenedAnswers = Map<string, AnswerFields>;

/**
 * Identifies the inverters behind a line.
 *
 * @throws NotRecognised when something answers that does not speak PI30
 * @throws LinkDown when nothing answers
 */
export async function openPi30(
  bus: ByteBus,
  { options }: Target,
  { pace = PACE, clock = systemClock, readBackTime }: Pi30Options = {},
): Promise<Hardware> {
  const line = new VoltronicLine({ bus, format: PI30_FORMAT, pace, clock, readBackTime });
  const answers: OpenedAnswers = new Map();
  await readProtocol(line, answers);
  for (const query of [QPIGS, QMOD]) await readRequired(line, query, answers);
  for (const query of OPTIONAL) {
    const fields = await line.readIfAnswered(query);
    if (fields !== undefined) answers.set(query.command, fields);
  }
  const system = options.parallel === 'alone' ? SINGLE_INVERTER : await findParallel(line, answers);
  const second = answers.has(QPIGS2.command) ? [QPIGS2] : [];
  const answered = (query: Query): boolean => answers.has(query.command);
  return new VoltronicHardware({
    line,
    inverters: invertersOf(answers, system),
    always: [QPIGS, QMOD, ...second, ...system.others.map(({ query }) => query)],
    rounds: new Rounds(OFTEN.filter(answered), [...SELDOM.filter(answered), ...system.vacant]),
    answers,
    identity: QID,
    isNewcomer: (query, fields) => system.vacant.includes(query) && isPresent(fields),
  });
}

async function readProtocol(line: VoltronicLine, answers: OpenedAnswers): Promise<void> {
  const fields = await line.read(QPI);
  if (fields === undefined) throw new NotRecognised('does not tell which protocol it speaks (QPI)');
  if (fields[0] !== PROTOCOL) throw new NotRecognised(`speaks ${fields[0]}, which is not ${PROTOCOL}`);
  answers.set(QPI.command, fields);
}

async function readRequired(line: VoltronicLine, query: Query, answers: OpenedAnswers): Promise<void> {
  const fields = await line.read(query);
  if (fields === undefined) throw new NotRecognised(`speaks ${PROTOCOL} and refuses ${query.command}`);
  answers.set(query.command, fields);
}

/** In the order of their numbers. */
function invertersOf(answers: OpenedAnswers, system: ParallelSystem): readonly LineInverter[] {
  const model = modelOf(answers);
  const others = system.others.map((other) => ({
    number: other.number,
    inverter: seenThrough(other, model),
  }));
  return [{ number: system.ownNumber ?? 0, inverter: ownInverter(answers, system, model) }, ...others]
    .toSorted((a, b) => a.number - b.number)
    .map(({ inverter }) => inverter);
}

/** The inverter that the cable goes to. */
function ownInverter(answers: OpenedAnswers, { ownNumber }: ParallelSystem, model: string): LineInverter {
  const settings = settingsIn(answers, ownNumber);
  let feeds = feedsIn(answers) ?? false;
  const quantities = quantitiesOf(inverterValues(answers, settings, feeds));
  return {
    unit: { kind: 'inverters', model, quantities },
    settings,
    sources: sourcesOf(BLOCKS, settings),
    valuesOf: (latest) => {
      feeds = feedsIn(latest) ?? feeds;
      return inverterValues(latest, settings, feeds);
    },
  };
}

/** An inverter that answers through the one that the cable goes to; it has no values once it has left the system. */
function seenThrough({ query, fields }: ParallelSystem['others'][number], model: string): LineInverter {
  const quantities = quantitiesOf(parallelValues(fields));
  return {
    unit: { kind: 'inverters', model, quantities, settingsRefusal: SLAVE_REFUSAL },
    settings: [],
    sources: new Map(),
    valuesOf: (latest) => {
      const now = latest.get(query.command);
      return now && isPresent(now) ? parallelValues(now) : [];
    },
    hasLeft: (latest) => {
      const now = latest.get(query.command);
      return now != null && !isPresent(now);
    },
  };
}

/** The reported name, else one made of the ratings. */
function modelOf(answers: OpenedAnswers): string {
  const [name] = answers.get(QMN.command) ?? [];
  if (name !== undefined) return name;
  const ratings = answers.get(QPIRI.command);
  const voltAmperes = numberIn(ratings?.[RATING.apparentPower]);
  const volts = numberIn(ratings?.[RATING.batteryVoltage]);
  return voltAmperes === null || volts === null
    ? 'Voltronic'
    : `Voltronic ${voltAmperes / 1000} kVA ${volts} V`;
}
