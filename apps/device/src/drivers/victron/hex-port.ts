import type { MetricValue } from '@heliograph/metrics';
import type { SendOptions } from '../../bus/bus.ts';
import type { ByteBus } from '../../bus/byte-bus.ts';
import { RejectedByHardware } from '../driver.ts';
import { answerRule } from './frame-rules.ts';
import {
  COMMAND,
  parseHex,
  REFUSALS,
  type RegisterAnswer,
  registerAnswer,
  registerFrame,
} from './hex-frame.ts';
import { textOf } from './identity-registers.ts';
import { decodeValue, encodeValue } from './register-value.ts';
import type { Register } from './registers.ts';

type ReadableRegister = Pick<Register, 'id' | 'type' | 'per' | 'labels'>;

/** The registers of a device that speaks HEX beside its text. */
export class HexPort {
  readonly #bus: ByteBus;
  readonly #timeoutMs: number;

  /** @param timeoutMs how long an answer may take */
  constructor(bus: ByteBus, timeoutMs: number) {
    this.#bus = bus;
    this.#timeoutMs = timeoutMs;
  }

  get roundTripMs(): number | null {
    return this.#bus.roundTripMs;
  }

  /**
   * @returns undefined when the device does not have this register
   * @throws LinkDown when it does not answer
   */
  async get(register: ReadableRegister): Promise<MetricValue | undefined> {
    const request = registerFrame(COMMAND.get, register.id, 0);
    const rule = answerRule(this.#timeoutMs, COMMAND.get, register.id);
    const { flags, value } = answerOf(await this.#bus.read(request, rule));
    return flags === 0 ? decodeValue(register, value) : undefined;
  }

  /**
   * @param id of a register that holds a text
   * @returns null where it is empty, undefined when the device does not have this register
   * @throws LinkDown when it does not answer
   */
  async getText(id: number): Promise<MetricValue | undefined> {
    const rule = answerRule(this.#timeoutMs, COMMAND.get, id);
    const { flags, value } = answerOf(await this.#bus.read(registerFrame(COMMAND.get, id, 0), rule));
    return flags === 0 ? textOf(value) : undefined;
  }

  /**
   * Sends a value once.
   *
   * @throws RejectedByHardware when the device does not take it, or its register cannot hold it
   * @throws LinkDown when nothing was sent, WriteUnanswered when the outcome is unknown
   */
  async set(register: Register, value: number | string, options?: SendOptions): Promise<void> {
    const { name } = register.quantity;
    const request = registerFrame(COMMAND.set, register.id, 0, encodeOrReject(register, value));
    const rule = answerRule(this.#timeoutMs, COMMAND.set, register.id);
    const { flags } = answerOf(await this.#bus.write(request, rule, options));
    if (flags === 0) return;
    throw new RejectedByHardware(
      `the charger refused ${value} for ${name}: ${REFUSALS[flags] ?? `its answer has the flags ${flags}`}`,
    );
  }
}

/** @throws RejectedByHardware when the register cannot hold the value */
export function encodeOrReject(register: Register, value: number | string): Uint8Array {
  try {
    return encodeValue(register, value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RejectedByHardware(`the charger cannot hold ${value} for ${register.quantity.name}`, {
      reason: 'not_held',
      cause: error,
    });
  }
}

/** The rule lets nothing through but answers for a register. */
function answerOf(frame: Uint8Array): RegisterAnswer {
  const answer = registerAnswer(parseHex(Buffer.from(frame).toString('latin1')));
  if (answer === undefined) throw new RangeError('the answer is too short');
  return answer;
}
