import { answerOf } from '../modbus/register-pdu.ts';
import type { RegisterBank } from '../modbus/register-server.ts';
import type { Attach } from './serve-line.ts';

/** Transaction, protocol and length, which counts what follows: the unit and the PDU. */
const LENGTH_AT = 4;
const UNIT_AT = 6;
const HEADER_BYTES = 7;

/** Modbus units behind a TCP port, on a line that may be disturbed. */
export function tcpUnits(bank: RegisterBank): Attach {
  return (line) => {
    let pending = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      pending = Buffer.concat([pending, bytes]);
      for (let end = endOf(pending); end <= pending.length; end = endOf(pending)) {
        const request = pending.subarray(0, end);
        pending = pending.subarray(end);
        const unitId = request.readUInt8(UNIT_AT);
        line.write(tcpAnswer(request, answerOf(bank, unitId, request.subarray(HEADER_BYTES))));
      }
    };
    line.on('data', take);
    return () => void line.off('data', take);
  };
}

/** A frame with the header of the request. */
export function tcpAnswer(request: Buffer, pdu: Buffer): Buffer {
  const frame = Buffer.concat([request.subarray(0, HEADER_BYTES), pdu]);
  frame.writeUInt16BE(1 + pdu.length, LENGTH_AT);
  return frame;
}

function endOf(pending: Buffer): number {
  if (pending.length < HEADER_BYTES) return Number.POSITIVE_INFINITY;
  return LENGTH_AT + 2 + pending.readUInt16BE(LENGTH_AT);
}
