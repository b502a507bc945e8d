import type { ExpectedWrite } from './write-behaviours.ts';

/** Hardware that is to behave otherwise than that of other families in the same place. */
export interface FamilyDifference {
  /** The behaviour's name. */
  readonly behaviour: string;
  /** Of one setting; of all when left out. */
  readonly topic?: string;
  readonly because: string;
  readonly expected: Partial<ExpectedWrite>;
}

const NO_DEVICE: Partial<ExpectedWrite> = {
  answer: 'its device is not there, or did not take it',
  log: 'rejected',
  reason: 'refused',
};

/** By the family's name. */
export const FAMILY_DIFFERENCES: Readonly<Record<string, readonly FamilyDifference[]>> = {
  huawei: [
    {
      behaviour: 'knows function 6 only',
      topic: 'inverter_1/max_charge_power',
      because: 'function 6 cannot write a number in two registers',
      expected: {
        answer: 'the unit does not know this function',
        log: 'rejected',
        reason: 'unsupported',
        reading: 'old',
      },
    },
  ],
  sunspec: [
    {
      behaviour: 'has it in force already',
      because: 'hardware reverts some values after a time, which a second write starts again',
      expected: { sent: 1, requests: 3 },
    },
  ],
  'victron-gx': [
    {
      behaviour: 'refuses the register, as units do that take whole blocks only',
      because: 'a GX refuses every register while its Modbus TCP is set to read only',
      expected: { answer: 'its Modbus TCP may be set to read only' },
    },
    {
      behaviour: 'applies it behind a gateway that knows no path',
      because: 'a GX is the gateway: its exception 10 is a refusal of its own',
      expected: { ...NO_DEVICE, later: 'ok' },
    },
    {
      behaviour: 'does not apply it behind a gateway that knows no path',
      because: 'a GX is the gateway: its exception 10 is a refusal of its own',
      expected: NO_DEVICE,
    },
  ],
  victron: [
    {
      behaviour: 'answers with a damaged frame without applying it',
      because: 'a character that is no digit makes an answer text, of which the port is full',
      expected: {
        answer: 'the hardware did not answer, so whether it was written is unknown',
        reason: 'no_answer',
      },
    },
    {
      behaviour: 'answers with half a frame without applying it',
      because: 'an answer without its end is text, of which the port is full',
      expected: {
        answer: 'the hardware did not answer, so whether it was written is unknown',
        reason: 'no_answer',
      },
    },
  ],
};
