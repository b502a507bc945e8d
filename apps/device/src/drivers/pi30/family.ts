import { systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import type { DescribedUnit } from '../described-unit.ts';
import { type ByteFamily, type Hardware, NotRecognised, type Target } from '../driver.ts';
import { quantitiesOf } from '../entries.ts';
import { sourcesOf } from '../voltronic/answer-blocks.ts';
import { escapedCheckBytes, withCheckBytes } from '../voltronic/check-bytes.ts';
import { describedRows, describedSettings } from '../voltronic/described.ts';
import { type AnswerFields, numberIn } from '../voltronic/fields.ts';
import { type LineInverter, VoltronicHardware } from '../voltronic/hardware.ts';
import { PACE, VoltronicLine } from '../voltronic/line.ts';
import { POWER_QUANTITIES } from '../voltronic/powers.ts';
import type { Query } from '../voltronic/query.ts';
import { Rounds } from '../voltronic/rounds.ts';
import type { SingleInverterOptions } from '../voltronic/single-inverter.ts';
import { decode } from './decode.ts';
import { PI30_FORMAT } from './frame.ts';
import { BLOCKS, feedsIn, inverterValues, parallelValues, STATE_OF_CHARGE, settingsIn } from './inverter.ts';
import { QPIGS, QPIGS2 } from './map/general.ts';
import { PROTOCOL, QGMN, QID, QMCHGCR, QMN, QMUCHGCR, QPI, QVFW } from './map/identity.ts';
import { QMOD } from './map/mode.ts';
import { isPresent, PARALLEL_ROWS, SLAVE_REFUSAL } from './map/parallel.ts';
import { QOPM, QPIRI, RATING } from './map/ratings.ts';
import { QPIWS } from './map/warnings.ts';
import { findParallel, type ParallelSystem, SINGLE_INVERTER } from './parallel-system.ts';
import { FIRST_PV_POWER } from './powers.ts';
import { QFLAG } from './settings/flags.ts';
import { settingsOf } from './settings/index.ts';

/** A 5 kVA unit with 48 V, as most are; the bounds of others are in the remarks. */
const USUAL = {
  ratings: ['', '', '', '', '', '', '', '48'],
  chargeCurrents: [10, 20, 30, 40, 50, 60, 70, 80],
  gridChargeCurrents: [2, 10, 20, 30, 40, 50, 60],
  parallelNumber: undefined,
  ownChargerNumbers: false,
};

const WORKED_OUT: Readonly<Record<string, string>> = {
  'PV power': 'QPIGS field 19, else field 12 times field 14; plus QPIGS2 field 2',
  'PV power 1': 'QPIGS field 19, where there is a second MPPT',
  'Battery current': 'QPIGS field 9 minus field 15',
  'Battery power': 'battery current times QPIGS field 8',
  'Grid power': 'output + battery - PV on the grid, 0 on battery',
  'Load power': 'PV + grid - battery; the AC output power while the grid power is unknown',
};

/** The whole map, for people. */
const DESCRIBED_UNITS: readonly DescribedUnit[] = [
  {
    title: 'Inverter',
    rows: [
      ...BLOCKS.filter(([query]) => query !== QOPM).flatMap(([{ command }, rows]) =>
        describedRows(command, rows),
      ),
      ...[...POWER_QUANTITIES, FIRST_PV_POWER].map((quantity) => ({
        quantity,
        from: WORKED_OUT[quantity.name] ?? 'worked out',
      })),
      {
        quantity: STATE_OF_CHARGE,
        from: 'QPIGS field 10',
        remark: 'with a battery that talks to the inverter',
      },
      ...describedSettings(settingsOf(USUAL)),
    ],
  },
  {
    title: 'Another inverter of a parallel system',
    rows: [
      ...describedRows('QPGSn', PARALLEL_ROWS),
      ...POWER_QUANTITIES.map((quantity) => ({
        quantity,
        from: 'worked out',
        ...(quantity.name === 'PV power' ? { remark: 'unknown on the grid while the sun shines' } : {}),
      })),
    ],
  },
];

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
