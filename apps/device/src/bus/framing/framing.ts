import type { FrameRule } from '../byte-bus.ts';
import type { ModbusPdu } from '../modbus-pdu.ts';

/** How one transport wraps what Modbus says. One for a bus, whatever becomes of its connections. */
export interface ModbusFraming {
  frame(unitId: number, request: ModbusPdu): FramedRequest;
}

export interface FramedRequest {
  readonly bytes: Uint8Array;
  /** Finds the frame of the answer among whatever comes in. */
  find(bytes: Uint8Array): ReturnType<FrameRule['find']>;
  /**
   * What that frame carries.
   *
   * @throws ModbusException when what carries the request refused it
   */
  open(frame: Uint8Array): Uint8Array;
  /** What requests have in common whose answers cannot be told from each other in this framing. */
  readonly responseKey: string;
}
