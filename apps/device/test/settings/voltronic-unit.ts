import { type Attach, LineFaults, serveLine } from '@heliograph/dev/serial';
import type { Clock } from '@heliograph/kit';
import type { ByteBus } from '../../src/bus/byte-bus.ts';
import { openByteBus } from '../../src/bus/open-bus.ts';
import type { Hardware } from '../../src/drivers/driver.ts';
import { openPi17 } from '../../src/drivers/pi17/family.ts';
import { openPi18 } from '../../src/drivers/pi18/family.ts';
import { openPi30 } from '../../src/drivers/pi30/family.ts';
import { frameOf } from '../../src/drivers/pi30/frame.ts';
import { escapedCheckBytes, plainCheckBytes } from '../../src/drivers/voltronic/check-bytes.ts';
import type { SingleInverterOptions } from '../../src/drivers/voltronic/single-inverter.ts';
import { realAnswers as pi17Answers } from '../drivers/pi17/plugged-in.ts';
import { realAnswers as pi18Answers } from '../drivers/pi18/plugged-in.ts';
import { REAL as PI30_ANSWERS } from '../drivers/pi30/real-answers.ts';
import { caretFrame, commandInCaret } from '../drivers/voltronic/caret-inverter.ts';
import { FAST_LINE, FAST_PACE } from '../drivers/voltronic/plugged-in.ts';
import { Reaction } from './reaction.ts';
import { ANSWER_TIMEOUT_MS, type SettableUnit } from './settable-unit.ts';
import type { SettingState } from './write-behaviours.ts';
import type { FieldSetting } from './written-settings.ts';

/** The rest is longer than a closed connection needs to be opened again. */
const PACE = { ...FAST_PACE, answerTimeoutMs: ANSWER_TIMEOUT_MS, writeTimeoutMs: ANSWER_TIMEOUT_MS };

type Answers = Record<string, string | Buffer>;

interface Protocol {
  readonly answers: () => Answers;
  /** Between the fields of an answer. */
  readonly separator: string;
  readonly commandIn: (request: Buffer) => string;
  readonly answerFrame: (text: string) => Uint8Array;
  readonly acknowledged: Uint8Array;
  readonly refused: Uint8Array;
  readonly open: (
    bus: ByteBus,
    options: Pick<SingleInverterOptions, 'pace' | 'clock' | 'readBackTime'>,
  ) => Promise<Hardware>;
}

const caret = (sendsCheckBytes: boolean): Omit<Protocol, 'answers' | 'open'> => {
  const checkBytes = sendsCheckBytes ? escapedCheckBytes : plainCheckBytes;
  return {
    separator: ',',
    commandIn: commandInCaret({ sendsCheckBytes }),
    answerFrame: (text) => caretFrame({ checkBytes }, `^D${String(text.length + 3).padStart(3, '0')}${text}`),
    acknowledged: caretFrame({ checkBytes }, '^1'),
    refused: caretFrame({ checkBytes }, '^0'),
  };
};

const NO_TARGET = { unit: undefined, options: {} };

export const VOLTRONIC_PROTOCOLS = {
  pi17: {
    ...caret(false),
    answers: () => ({ ...pi17Answers(), HECS: '00,0,0,0,0,0,0,0,0' }),
    open: openPi17,
  },
  pi18: { ...caret(true), answers: pi18Answers, open: (bus, options) => openPi18(bus, NO_TARGET, options) },
  pi30: {
    separator: ' ',
    commandIn: (request) => request.subarray(0, -3).toString('latin1'),
    answerFrame: (text) => frameOf(`(${text}`),
    acknowledged: frameOf('(ACK'),
    refused: frameOf('(NAK'),
    answers: () => ({
      ...PI30_ANSWERS,
      QFLAG: 'EbxDajkuvyz',
      QPIRI: '230.0 21.7 230.0 50.0 21.7 5000 4000 48.0 46.0 42.0 56.4 54.0 0 10 010 1 0 0 6 01 0 0 54.0 0 1',
    }),
    open: (bus, options) => openPi30(bus, NO_TARGET, options),
  },
} as const satisfies Record<string, Protocol>;

/** A simulated inverter of Voltronic's protocols behind a serial server. */
export async function startVoltronicUnit(
  protocol: keyof typeof VOLTRONIC_PROTOCOLS,
  clock: Clock,
): Promise<SettableUnit<FieldSetting>> {
  const {
    answers: answersOf,
    separator,
    commandIn,
    answerFrame,
    acknowledged,
    refused,
    open,
  }: Protocol = VOLTRONIC_PROTOCOLS[protocol];
  const answers = answersOf();
  const faults = new LineFaults();
  const reaction = new Reaction({ clock, faults });
  const writes: string[] = [];
  let count = 0;
  let prepared: FieldSetting | undefined;

  const put = ({ query, field, contents }: FieldSetting, state: SettingState): void => {
    const content = contents[state] ?? '';
    answers[query] =
      field === undefined
        ? content
        : String(answers[query]).split(separator).with(field, content).join(separator);
  };
  const answerTo = (command: string): Uint8Array => {
    count += 1;
    if (command !== prepared?.frame) {
      reaction.beforeRead();
      const answer = answers[command];
      if (answer === undefined) return refused;
      return typeof answer === 'string' ? answerFrame(answer) : answer;
    }
    writes.push(command);
    const setting = prepared;
    return reaction.onWrite((state) => put(setting, state)) === undefined ? acknowledged : refused;
  };
  const inverter: Attach = (line) => {
    const onData = (request: Buffer): void => void line.write(answerTo(commandIn(request)));
    line.on('data', onData);
    return () => void line.off('data', onData);
  };
  const served = await serveLine(faults.between(inverter), { whole: true });
  const { host, port } = served;
  const bus = openByteBus({ transport: 'serial-tcp', host, port }, FAST_LINE, clock, reaction.times);
  return {
    reset: (setting) => {
      reaction.prepare(undefined);
      put(setting, 'old');
    },
    behave: (setting, behaviour) => {
      prepared = setting;
      reaction.prepare(behaviour);
      if (behaviour.changedBefore) put(setting, 'other');
    },
    takeRequests: () => {
      const received = { count, writes: writes.splice(0) };
      count = 0;
      return received;
    },
    open: async (openClock, readBackTime) =>
      reaction.watch(await open(bus, { pace: PACE, clock: openClock, readBackTime })),
    stop: async () => {
      await bus.close();
      await served.stop();
    },
  };
}
