import { ModbusRefusal, type RegisterBank } from './register-server.ts';

const READ_INPUT = 4;
const READS = [3, READ_INPUT];
const WRITE_ONE = 6;
const WRITE_SEVERAL = 16;

const UNKNOWN_FUNCTION = 1;
const ILLEGAL_ADDRESS = 2;
const ILLEGAL_VALUE = 3;
const MAX_REGISTERS_PER_READ = 125;

/** The answer of a unit with these registers to a request, both as PDUs without their framing. */
export function answerOf(bank: RegisterBank, unitId: number, request: Buffer): Buffer {
  const [code = 0] = request;
  try {
    if (READS.includes(code)) return read(bank, unitId, request);
    if (code === WRITE_ONE || code === WRITE_SEVERAL) return write(bank, unitId, request);
    throw new ModbusRefusal(UNKNOWN_FUNCTION);
  } catch (error) {
    const refusal = error instanceof ModbusRefusal ? error : new ModbusRefusal(ILLEGAL_VALUE);
    return Buffer.from([code | 0x80, refusal.modbusErrorCode]);
  }
}

function read(bank: RegisterBank, unitId: number, request: Buffer): Buffer {
  const count = request.readUInt16BE(3);
  if (count < 1 || count > MAX_REGISTERS_PER_READ) throw new ModbusRefusal(ILLEGAL_VALUE);
  const values = bank.readRange(
    unitId,
    request.readUInt16BE(1),
    count,
    request[0] === READ_INPUT ? 'input' : 'holding',
  );
  if (values === undefined) throw new ModbusRefusal(ILLEGAL_ADDRESS);
  const answer = Buffer.alloc(2 + count * 2);
  answer[0] = request.readUInt8(0);
  answer[1] = count * 2;
  values.forEach((value, index) => {
    answer.writeUInt16BE(value, 2 + index * 2);
  });
  return answer;
}

function write(bank: RegisterBank, unitId: number, request: Buffer): Buffer {
  if (bank.writeFunctions?.includes(request.readUInt8(0)) === false)
    throw new ModbusRefusal(UNKNOWN_FUNCTION);
  const several = request[0] === WRITE_SEVERAL;
  const data = request.subarray(several ? 6 : 3);
  if (several && (data.length !== request[5] || data.length !== request.readUInt16BE(3) * 2)) {
    throw new ModbusRefusal(ILLEGAL_VALUE);
  }
  const values = Array.from({ length: data.length / 2 }, (_, index) => data.readUInt16BE(index * 2));
  const address = request.readUInt16BE(1);
  bank.write(unitId, address, values);
  const answer = Buffer.from(request.subarray(0, 5));
  if (!several && bank.taken !== undefined) answer.writeUInt16BE(bank.taken(unitId, address), 3);
  return answer;
}
