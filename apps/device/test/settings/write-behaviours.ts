import type { WriteOutcome, WriteReason } from '@heliograph/contracts';

/** A setting before a write, as the write wants it, and as the hardware or another master chooses. */
export type SettingState = 'old' | 'new' | 'other';

/**
 * The answer of a unit to a write.
 *
 * - a number: it refuses, with this exception code
 * - `refused`: it refuses, with the code of its protocol
 * - `late`: after 4 s, when nothing waits for it any more
 * - `late, on the next connection`: the same, from a gateway that knows no connections
 * - `short`: a whole frame around a part of the answer
 * - `echo first`: the line gives the request back before the answer
 */
export type WriteAnswer =
  | number
  | 'acknowledged'
  | 'refused'
  | 'silent'
  | 'cut'
  | 'corrupt'
  | 'truncate'
  | 'short'
  | 'double'
  | 'echo first'
  | 'late'
  | 'late, on the next connection';

/** A state that the unit takes on, in milliseconds after the write reached it. */
export type Taken = readonly [afterMs: number, state: SettingState];

export interface ExpectedWrite {
  /** How often the write is sent. */
  readonly sent: 0 | 1;
  /** Requests of the write and of the reads around it, one more where the serial number is read apart; any number when left out. */
  readonly requests?: number;
  /** `confirmed`, or a part of the refusal; `OLD`, `NEW` and `OTHER` stand for the setting's values. */
  readonly answer: string;
  readonly log: WriteOutcome;
  /** The value before, in the log; `old` when left out. */
  readonly from?: SettingState;
  readonly reason: WriteReason | null;
  /** In the log once readings have shown the truth: left out, `rejected` in place of `unknown`, else the same. */
  readonly later?: WriteOutcome;
  /** At the polls behind the answer. */
  readonly reading: SettingState;
}

/** A reaction of hardware to a write, and what a client, the log, the alerts and the readings show of it. */
export interface WriteBehaviour {
  readonly name: string;
  /** The value that is written: one in force, or another. */
  readonly wants: 'old' | 'new';
  readonly takes: readonly Taken[];
  readonly answer: WriteAnswer;
  /** Reads are refused with this exception for so long after the write, in milliseconds. */
  readonly readsRefused?: { readonly code: number; readonly forMs: number };
  /** The read right before the write is not answered. */
  readonly silentBefore?: true;
  /** Another master has put the setting to a third value since the last poll. */
  readonly changedBefore?: true;
  /** Its answer to function 6 has the content that it has then, not that of the request. */
  readonly namesTaken?: true;
  /** The functions for writes, 6 and 16, that the unit knows; both when left out. */
  readonly knows?: readonly number[];
  readonly expected: ExpectedWrite;
}

type Row = Omit<WriteBehaviour, 'wants' | 'expected'> & { readonly wants?: 'old' };

const IMMEDIATELY: readonly Taken[] = [[0, 'new']];
const NEVER: readonly Taken[] = [];

const UNKNOWN = 'so whether it was written is unknown; it was not sent a second time';

const behaviour = (row: Row, expected: ExpectedWrite): WriteBehaviour => ({ wants: 'new', ...row, expected });

const confirmed = (row: Row, reading: SettingState = 'new'): WriteBehaviour =>
  behaviour(row, { sent: 1, answer: 'confirmed', log: 'ok', reason: null, reading });

const altered = (row: Row, reading: SettingState = 'other'): WriteBehaviour =>
  behaviour(row, {
    sent: 1,
    answer: 'the hardware took OTHER instead of NEW',
    log: 'altered',
    reason: 'altered',
    reading,
  });

/** @param answer a part of it, with the reason in the log */
const rejected = (
  row: Row,
  [answer, reason]: readonly [string, WriteReason],
  more: Partial<ExpectedWrite> = {},
): WriteBehaviour => behaviour(row, { sent: 1, answer, log: 'rejected', reason, reading: 'old', ...more });

const unknown = (row: Row, [came, reason]: readonly [string, WriteReason]): WriteBehaviour =>
  behaviour(row, { sent: 1, answer: `${came}, ${UNKNOWN}`, log: 'unknown', reason, reading: 'old' });

const KEPT = ['at OLD', 'kept'] as const;
const REFUSED = ['refused NEW', 'refused'] as const;
const NO_ANSWER = ['the hardware did not answer', 'no_answer'] as const;
const DAMAGED = ['its answer was cut or damaged', 'damaged_answer'] as const;

/** Of hardware of every family. */
export const BEHAVIOURS: readonly WriteBehaviour[] = [
  // Read, written, read back: nothing more.
  behaviour(
    { name: 'applies it at once', takes: IMMEDIATELY, answer: 'acknowledged' },
    { sent: 1, requests: 3, answer: 'confirmed', log: 'ok', reason: null, reading: 'new' },
  ),
  behaviour(
    { name: 'has it in force already', wants: 'old', takes: NEVER, answer: 'acknowledged' },
    { sent: 0, requests: 1, answer: 'confirmed', log: 'ok', reason: null, reading: 'old' },
  ),
  behaviour(
    { name: 'does not answer the read before it', takes: NEVER, answer: 'acknowledged', silentBefore: true },
    {
      sent: 0,
      answer: 'was not written: the hardware cannot be reached',
      log: 'not sent',
      reason: 'unreachable',
      reading: 'old',
    },
  ),
  behaviour(
    {
      name: 'applies it over the value of another master',
      takes: IMMEDIATELY,
      answer: 'acknowledged',
      changedBefore: true,
    },
    { sent: 1, answer: 'confirmed', log: 'ok', from: 'other', reason: null, reading: 'new' },
  ),
  confirmed({ name: 'applies it after 0.6 s', takes: [[600, 'new']], answer: 'acknowledged' }),
  confirmed({ name: 'applies it after 5 s', takes: [[5_000, 'new']], answer: 'acknowledged' }),
  rejected({ name: 'acknowledges it and keeps the old value', takes: NEVER, answer: 'acknowledged' }, KEPT),
  rejected(
    { name: 'applies it after the last read-back', takes: [[9_000, 'new']], answer: 'acknowledged' },
    KEPT,
    { reading: 'new', later: 'ok' },
  ),
  altered({ name: 'takes another value', takes: [[0, 'other']], answer: 'acknowledged' }),
  confirmed({
    name: 'applies it in two steps',
    takes: [
      [0, 'other'],
      [3_000, 'new'],
    ],
    answer: 'acknowledged',
  }),
  altered({
    name: 'is written by another master in between',
    takes: [
      [0, 'new'],
      [0, 'other'],
    ],
    answer: 'acknowledged',
  }),
  confirmed(
    {
      name: 'is written by another master after it was read back',
      takes: [
        [0, 'new'],
        [100, 'other'],
      ],
      answer: 'acknowledged',
    },
    'other',
  ),
  confirmed(
    {
      name: 'reverts it after 1.5 s',
      takes: [
        [0, 'new'],
        [1_500, 'old'],
      ],
      answer: 'acknowledged',
    },
    'old',
  ),
  confirmed({ name: 'applies it without an answer', takes: IMMEDIATELY, answer: 'silent' }),
  confirmed({ name: 'applies it after 5 s without an answer', takes: [[5_000, 'new']], answer: 'silent' }),
  unknown({ name: 'neither applies nor answers it', takes: NEVER, answer: 'silent' }, NO_ANSWER),
  confirmed({ name: 'applies it and answers after 4 s', takes: IMMEDIATELY, answer: 'late' }),
  confirmed({
    name: 'applies it and answers after 4 s on the next connection',
    takes: [[5_000, 'new']],
    answer: 'late, on the next connection',
  }),
  confirmed({ name: 'applies it and closes the connection', takes: IMMEDIATELY, answer: 'cut' }),
  unknown({ name: 'closes the connection without applying it', takes: NEVER, answer: 'cut' }, [
    'the connection ended before the answer',
    'no_answer',
  ]),
  confirmed({ name: 'applies it and answers with a damaged frame', takes: IMMEDIATELY, answer: 'corrupt' }),
  unknown(
    { name: 'answers with a damaged frame without applying it', takes: NEVER, answer: 'corrupt' },
    DAMAGED,
  ),
  confirmed({ name: 'applies it and answers with half a frame', takes: IMMEDIATELY, answer: 'truncate' }),
  unknown(
    { name: 'answers with half a frame without applying it', takes: NEVER, answer: 'truncate' },
    DAMAGED,
  ),
  confirmed({ name: 'applies it and answers twice', takes: IMMEDIATELY, answer: 'double' }),
  rejected({ name: 'keeps the old value and answers twice', takes: NEVER, answer: 'double' }, KEPT),
];

/** Of Modbus units whose answers to function 6 name the content that they took. */
export const NAMED_BEHAVIOURS: readonly WriteBehaviour[] = [
  altered({
    name: 'takes another value and names it',
    takes: [[0, 'other']],
    answer: 'acknowledged',
    namesTaken: true,
  }),
  confirmed({
    name: 'names the old value and applies it after 5 s',
    takes: [[5_000, 'new']],
    answer: 'acknowledged',
    namesTaken: true,
  }),
];

/** Of hardware whose protocol has a refusal of its own, which is final. */
export const REFUSED_BEHAVIOURS: readonly WriteBehaviour[] = [
  rejected({ name: 'refuses it', takes: NEVER, answer: 'refused' }, REFUSED),
  rejected(
    { name: 'refuses it and applies it all the same', takes: IMMEDIATELY, answer: 'refused' },
    REFUSED,
    {
      reading: 'new',
      later: 'ok',
    },
  ),
];

/** Of Modbus units, in every framing. */
export const MODBUS_BEHAVIOURS: readonly WriteBehaviour[] = [
  rejected(
    { name: 'refuses the register, as units do that take whole blocks only', takes: NEVER, answer: 2 },
    ['the unit has no such register', 'unsupported'],
    { requests: 2 },
  ),
  rejected({ name: 'refuses the value', takes: NEVER, answer: 3 }, [
    'the unit refuses this value',
    'value_refused',
  ]),
  rejected(
    { name: 'refuses the value and applies it all the same', takes: IMMEDIATELY, answer: 3 },
    ['the unit refuses this value', 'value_refused'],
    { reading: 'new', later: 'ok' },
  ),
  rejected({ name: 'fails without applying it', takes: NEVER, answer: 4 }, [
    'the unit failed to carry out the request',
    'failed',
  ]),
  confirmed({ name: 'reports a failure and applies it', takes: IMMEDIATELY, answer: 4 }),
  confirmed({ name: 'reports a failure and applies it after 5 s', takes: [[5_000, 'new']], answer: 4 }),
  confirmed({ name: 'reports a fault of its memory and applies it', takes: IMMEDIATELY, answer: 8 }),
  rejected({ name: 'is busy and does not apply it', takes: NEVER, answer: 6 }, [
    'the unit is busy',
    'hardware_busy',
  ]),
  confirmed({ name: 'is busy and applies it', takes: IMMEDIATELY, answer: 6 }),
  confirmed({ name: 'needs more time and applies it after 3 s', takes: [[3_000, 'new']], answer: 5 }),
  unknown({ name: 'needs more time and never applies it', takes: NEVER, answer: 5 }, [
    'the unit needs more time',
    'no_answer',
  ]),
  confirmed({ name: 'applies it behind a gateway that gets no answer', takes: IMMEDIATELY, answer: 11 }),
  unknown({ name: 'does not apply it behind a gateway that gets no answer', takes: NEVER, answer: 11 }, [
    'the unit behind the gateway does not answer',
    'no_answer',
  ]),
  confirmed({ name: 'applies it behind a gateway that knows no path', takes: IMMEDIATELY, answer: 10 }),
  unknown({ name: 'does not apply it behind a gateway that knows no path', takes: NEVER, answer: 10 }, [
    'the gateway has no path to the unit',
    'no_answer',
  ]),
  rejected({ name: 'gives no permission', takes: NEVER, answer: 0x80 }, [
    'the unit gives no permission: log in as the installer',
    'no_permission',
  ]),
  confirmed({
    name: 'applies it and refuses reads as busy for 3 s',
    takes: IMMEDIATELY,
    answer: 'acknowledged',
    readsRefused: { code: 6, forMs: 3_000 },
  }),
  confirmed({
    name: 'applies it behind a logger that answers a part of the answer',
    takes: IMMEDIATELY,
    answer: 'short',
  }),
  unknown(
    {
      name: 'does not apply it behind a logger that answers a part of the answer',
      takes: NEVER,
      answer: 'short',
    },
    DAMAGED,
  ),
];

/** Of Modbus units that know one of the functions for writes: the other is certainly refused, so it is tried once. */
export const FUNCTION_BEHAVIOURS: readonly WriteBehaviour[] = [
  confirmed({ name: 'knows function 16 only', takes: IMMEDIATELY, answer: 'acknowledged', knows: [16] }),
  confirmed({ name: 'knows function 6 only', takes: IMMEDIATELY, answer: 'acknowledged', knows: [6] }),
  rejected({ name: 'knows no function for writes', takes: NEVER, answer: 'acknowledged', knows: [] }, [
    'the unit does not know this function',
    'unsupported',
  ]),
];

/** Of units on a line that gives back what is sent on it. */
export const ECHO_BEHAVIOURS: readonly WriteBehaviour[] = [
  confirmed({ name: 'applies it on a line that echoes', takes: IMMEDIATELY, answer: 'echo first' }),
  rejected({ name: 'keeps the old value on a line that echoes', takes: NEVER, answer: 'echo first' }, KEPT),
];

/** Names of the reactions that show a setting's registers, its values and its frames in both directions. */
const REGISTER_REACTIONS: readonly string[] = [
  'applies it at once',
  'has it in force already',
  'acknowledges it and keeps the old value',
  'takes another value',
  'refuses the value',
  'knows function 16 only',
  'knows function 6 only',
];

/** Of units whose writes have no code of their own. */
export const REGISTER_BEHAVIOURS: readonly WriteBehaviour[] = REGISTER_REACTIONS.map((name) => {
  const found = [...BEHAVIOURS, ...MODBUS_BEHAVIOURS, ...FUNCTION_BEHAVIOURS].find(
    (one) => one.name === name,
  );
  if (found === undefined) throw new Error(`there is no reaction '${name}'`);
  return found;
});
