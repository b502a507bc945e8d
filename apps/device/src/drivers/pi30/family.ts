import { type Clock, systemClock } from '@heliograph/kit';
import { Type } from 'typebox';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { LinkDown } from '../../bus/failures.ts';
import { type ByteFamily, type Hardware, NotRecognised, type Target, type Unit } from '../driver.ts';
import { quantitiesOf } from '../entries.ts';
import { decode } from './decode.ts';
import { DESCRIBED_UNITS } from './described.ts';
import { type Inverter, Pi30Hardware, Rounds } from './hardware.ts';
import { feedsIn, inverterValues, parallelValues, settingsIn } from './inverter.ts';
import { PACE, type Pace, Pi30Line } from './line.ts';
import { numberIn, type Pi30Fields } from './map/fields.ts';
import { QPIGS, QPIGS2 } from './map/general.ts';
import { PROTOCOL, QGMN, QID, QMCHGCR, QMN, QMUCHGCR, QPI, QVFW } from './map/identity.ts';
import { QMOD } from './map/mode.ts';
import { SLAVE_REFUSAL } from './map/parallel.ts';
import type { Query } from './map/query.ts';
import { QPIRI, RATING } from './map/ratings.ts';
import { QPIWS } from './map/warnings.ts';
import { findParallel, type ParallelSystem, SINGLE_INVERTER } from './parallel-system.ts';
import { QFLAG } from './settings/flags.ts';

/** Voltronic's PI30 protocol, under many brands. */
export const pi30: ByteFamily = {
  name: 'pi30',
  title: 'Voltronic Axpert, MPP Solar, EASun',
  speaks: 'bytes',
  unaddressed: true,
  line: { baudRate: 2_400, parity: 'none', stopBits: 1 },
  transports: ['serial', 'serial-tcp', 'hid'],
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
  probe: { first: true },
  describedUnits: DESCRIBED_UNITS,
  protocols: ['voltronic_pi30'],
  decode,
  open: (bus, target, clock = systemClock) => openPi30(bus, target, { clock }),
};

/** Read once when opening; an inverter refuses those that it does not know. */
const OPTIONAL = [QPIRI, QPIGS2, QPIWS, QFLAG, QID, QVFW, QMN, QGMN, QMCHGCR, QMUCHGCR] as const;
const OFTEN: readonly Query[] = [QPIRI, QPIWS, QFLAG];
const SELDOM: readonly Query[] = [QID, QVFW, QMN, QPI, QMCHGCR, QMUCHGCR];

type OpenedAnswers = Map<string, Pi30Fields>;

/**
 * Identifies the inverters behind a line.
 *
 * @throws NotRecognised when something answers that does not speak PI30
 * @throws LinkDown when nothing answers
 */
export async function openPi30(
  bus: ByteBus,
  { options }: Target,
  { pace = PACE, clock = systemClock }: { readonly pace?: Pace; readonly clock?: Clock } = {},
): Promise<Hardware> {
  const line = new Pi30Line(bus, pace, clock);
  const answers: OpenedAnswers = new Map();
  await readProtocol(line, answers);
  for (const query of [QPIGS, QMOD]) await readRequired(line, query, answers);
  for (const query of OPTIONAL) await readOptional(line, query, answers);
  const system = options.parallel === 'alone' ? SINGLE_INVERTER : await findParallel(line, answers);
  const second = answers.has(QPIGS2.command) ? [QPIGS2] : [];
  const answered = (query: Query): boolean => answers.has(query.command);
  return new Pi30Hardware({
    line,
    inverters: invertersOf(answers, system),
    always: [QPIGS, QMOD, ...second],
    rounds: new Rounds(OFTEN.filter(answered), [...SELDOM.filter(answered), ...system.vacant]),
    answers,
    vacant: system.vacant,
  });
}

async function readProtocol(line: Pi30Line, answers: OpenedAnswers): Promise<void> {
  const fields = await line.read(QPI);
  if (fields === undefined) throw new NotRecognised('does not tell which protocol it speaks (QPI)');
  if (fields[0] !== PROTOCOL) throw new NotRecognised(`speaks ${fields[0]}, which is not ${PROTOCOL}`);
  answers.set(QPI.command, fields);
}

async function readRequired(line: Pi30Line, query: Query, answers: OpenedAnswers): Promise<void> {
  const fields = await line.read(query);
  if (fields === undefined) throw new NotRecognised(`speaks ${PROTOCOL} and refuses ${query.command}`);
  answers.set(query.command, fields);
}

/** Some models are silent where others refuse: a query is repeated once, and then counts as refused. */
async function readOptional(line: Pi30Line, query: Query, answers: OpenedAnswers): Promise<void> {
  const attempt = async (): Promise<Pi30Fields | undefined> => {
    try {
      return await line.read(query);
    } catch (error) {
      if (error instanceof LinkDown) return [];
      throw error;
    }
  };
  const first = await attempt();
  const fields = first?.length === 0 ? await attempt() : first;
  if (fields !== undefined && fields.length > 0) answers.set(query.command, fields);
}

function invertersOf(answers: OpenedAnswers, system: ParallelSystem): readonly Inverter[] {
  const settings = settingsIn(answers, system.ownNumber);
  const values = inverterValues(answers, settings, feedsIn(answers) ?? false);
  const model = modelOf(answers);
  const own: Inverter = { unit: { kind: 'inverters', model, quantities: quantitiesOf(values) }, settings };
  const others = system.others.map(({ number, query, fields }) => {
    const quantities = quantitiesOf(parallelValues(fields));
    const unit: Unit = { kind: 'inverters', model, quantities, settingsRefusal: SLAVE_REFUSAL };
    return { number, inverter: { unit, through: query } };
  });
  return [{ number: system.ownNumber ?? 0, inverter: own }, ...others]
    .toSorted((a, b) => a.number - b.number)
    .map(({ inverter }) => inverter);
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
