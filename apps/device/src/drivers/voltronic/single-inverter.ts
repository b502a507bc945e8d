import { type Clock, systemClock } from '@heliograph/kit';
import type { MetricValue, Quantity } from '@heliograph/metrics';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { type DecodedUnit, type Hardware, NotRecognised } from '../driver.ts';
import { type Entry, quantitiesOf, readingOf } from '../entries.ts';
import { BadRecording, type Recording } from '../recording.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { type AnswerBlocks, blockValues, settingValues, sourcesOf } from './answer-blocks.ts';
import type { AnswerFields } from './fields.ts';
import type { FrameFormat } from './frame-format.ts';
import { type Answers, VoltronicHardware } from './hardware.ts';
import { PACE, type Pace, VoltronicLine } from './line.ts';
import type { Query } from './query.ts';
import { type RecordedFormat, recordedAnswers, withAcknowledged } from './recorded-answers.ts';
import { Rounds } from './rounds.ts';
import type { CommandSetting } from './setting.ts';

/** A protocol of inverters that each have a cable of their own. */
export interface SingleInverterProtocol {
  /** Such as `PI18`. */
  readonly name: string;
  /** The query of the number behind `PI`. */
  readonly protocol: Query;
  /** Read in every poll; hardware that refuses one of them is not recognised. */
  readonly always: readonly Query[];
  /** Read in turn, unless the inverter refuses them: settings and warnings. */
  readonly often: readonly Query[];
  /** Read in turn, unless the inverter refuses them: constants. */
  readonly seldom: readonly Query[];
  /** Read once, unless the inverter refuses them: what it can be set to. */
  readonly once: readonly Query[];
  /** The query of the serial number. */
  readonly identity: Query;
  readonly blocks: AnswerBlocks;
  /** Values of several answers, such as the powers. */
  readonly derivedValues: (answers: Answers) => readonly Entry[];
  readonly settingsIn: (answers: Answers) => readonly CommandSetting[];
  readonly modelOf: (answers: Answers) => string;
  /** The setting and the value that a command of any model sets. */
  readonly settingFromCommand: (command: string) => readonly [Quantity, MetricValue] | undefined;
}

export interface SingleInverterOptions {
  readonly format: FrameFormat;
  /** Why no setting can be written. */
  readonly settingsRefusal?: string;
  readonly pace?: Pace;
  readonly clock?: Clock;
  readonly readBackTime?: ReadBackTime;
}

/**
 * Identifies the inverter behind a line.
 *
 * @throws NotRecognised when something answers that does not speak the protocol
 * @throws LinkDown when nothing answers
 */
export async function openSingleInverter(
  protocol: SingleInverterProtocol,
  bus: ByteBus,
  { format, settingsRefusal, pace = PACE, clock = systemClock, readBackTime }: SingleInverterOptions,
): Promise<Hardware> {
  const line = new VoltronicLine({ bus, format, pace, clock, readBackTime });
  const { always, often, seldom, once, identity } = protocol;
  const answers = new Map<string, AnswerFields>();
  for (const query of [protocol.protocol, ...always]) {
    const fields = await line.read(query);
    if (fields === undefined) throw new NotRecognised(`refuses ${query.command} of ${protocol.name}`);
    answers.set(query.command, fields);
  }
  for (const query of [...often, ...seldom, ...once]) {
    const fields = await line.readIfAnswered(query);
    if (fields !== undefined) answers.set(query.command, fields);
  }
  const settings = protocol.settingsIn(answers);
  const values = valuesOf(protocol, answers, settings);
  const unit = {
    kind: 'inverters',
    model: protocol.modelOf(answers),
    quantities: quantitiesOf(values),
  } as const;
  const answered = (query: Query): boolean => answers.has(query.command);
  return new VoltronicHardware({
    line,
    inverters: [
      {
        unit: settingsRefusal === undefined ? unit : { ...unit, settingsRefusal },
        settings,
        sources: sourcesOf(protocol.blocks, settings),
        valuesOf: (latest) => valuesOf(protocol, latest, settings),
      },
    ],
    always,
    rounds: new Rounds(often.filter(answered), seldom.filter(answered)),
    answers,
    identity,
  });
}

function valuesOf(
  { blocks, derivedValues }: SingleInverterProtocol,
  answers: Answers,
  settings: readonly CommandSetting[],
): readonly Entry[] {
  return [...blockValues(blocks, answers), ...derivedValues(answers), ...settingValues(settings, answers)];
}

/** @throws BadRecording when a frame must be rejected, or the recording is of something else */
export function decodeSingleInverter(
  protocol: SingleInverterProtocol,
  recording: Recording,
  format: RecordedFormat,
): readonly DecodedUnit[] {
  const { protocol: own, always, often, seldom, once, settingFromCommand } = protocol;
  const { answers, acknowledged } = recordedAnswers(recording, format, {
    queries: [own, ...always, ...often, ...seldom, ...once],
    settingFromCommand,
  });
  const values = withAcknowledged(valuesOf(protocol, answers, protocol.settingsIn(answers)), acknowledged);
  if (values.length === 0) throw new BadRecording('nothing in the recording tells a value');
  return [
    {
      kind: 'inverters',
      model: null,
      quantities: quantitiesOf(values),
      reading: readingOf(values, 'exact'),
    },
  ];
}
