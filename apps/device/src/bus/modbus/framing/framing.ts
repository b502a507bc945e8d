import type { FrameRule } from '../../byte-bus.ts';
import type { ModbusPdu } from '../modbus-pdu.ts';

/** How one transport wraps Modbus requests. One per bus, for all of its connections. */
export interface ModbusFraming {
  frame(unitId: number, request: ModbusPdu): FramedRequest;
}

export interface FramedRequest {
  readonly bytes: Uint8Array;
  /** Finds the frame of the answer among whatever comes in. */
  find(bytes: Uint8Array): ReturnType<FrameRule['find']>;
  /**
   * The PDU that the frame carries.
   *
   * @throws ModbusException when what carries the request refused it
   */
  open(frame: Uint8Array): Uint8Array;
  /** The same for requests whose answers look the same in this framing. */
  readonly responseKey: string;
}
