import { type ModbusBus, ModbusException } from '../../bus/modbus/modbus-bus.ts';
import { NotRecognised } from '../driver.ts';

/** The header of a model on the device. */
export interface ModelHeader {
  readonly id: number;
  /** Address of the model's ID register. */
  readonly address: number;
  /** L: registers after the header. */
  readonly length: number;
}

/** Registers of a header: ID and L. */
export const HEADER_REGISTERS = 2;

/** The addresses at which a chain may begin, in the order in which they are tried (SunSpec Device Information Model, 6.1). */
export const BASES = [40_000, 50_000, 0] as const;

/** "SunS" */
export const MARKER = [0x5375, 0x6e53] as const;

const COMMON_ID = 1;
export const END_ID = 0xffff;

/** Some devices end their chain with registers that read 0 instead of the end marker. */
export const NOTHING_ID = 0;

/** The longest chain known here has some twenty models; one that goes on further is broken or hostile. */
const MAX_MODELS = 100;
const LAST_ADDRESS = 0xffff;

/**
 * Finds the SunSpec marker and walks the chain of model headers behind it.
 *
 * @throws NotRecognised when there is no marker, or the chain is not one
 * @throws LinkDown when the unit does not answer
 */
export async function walkChain(bus: ModbusBus, unitId: number): Promise<readonly ModelHeader[]> {
  const base = await findBase(bus, unitId);
  const headers: ModelHeader[] = [];
  for (let address = base + MARKER.length; ; ) {
    const header = await readHeader(bus, unitId, address, headers.length > 0);
    if (header === undefined) return headers;
    if (headers.length === 0 && header.id !== COMMON_ID) {
      throw new NotRecognised(
        `unit ${unitId}: the chain begins with model ${header.id}, not with the common one`,
      );
    }
    headers.push(header);
    address += HEADER_REGISTERS + header.length;
    if (headers.length > MAX_MODELS) {
      throw new NotRecognised(`unit ${unitId}: the chain of models does not end within ${MAX_MODELS}`);
    }
    if (address + HEADER_REGISTERS - 1 > LAST_ADDRESS) {
      throw new NotRecognised(`unit ${unitId}: the chain of models leads beyond the last register`);
    }
  }
}

async function findBase(bus: ModbusBus, unitId: number): Promise<number> {
  for (const base of BASES) {
    const found = await readOrRefused(bus, unitId, base, MARKER.length);
    if (found !== undefined && MARKER.every((register, index) => found[index] === register)) return base;
  }
  throw new NotRecognised(`unit ${unitId}: no SunSpec marker at ${BASES.join(', ')}`);
}

/** @param mayEnd whether a refusal is the end of a chain that lacks its end marker */
async function readHeader(
  bus: ModbusBus,
  unitId: number,
  address: number,
  mayEnd: boolean,
): Promise<ModelHeader | undefined> {
  const registers = await readOrRefused(bus, unitId, address, HEADER_REGISTERS);
  if (registers === undefined) {
    if (mayEnd) return undefined;
    throw new NotRecognised(`unit ${unitId}: there is a SunSpec marker and no model behind it`);
  }
  const [id = END_ID, length = 0] = registers;
  return id === END_ID || id === NOTHING_ID ? undefined : { id, address, length };
}

async function readOrRefused(
  bus: ModbusBus,
  unitId: number,
  address: number,
  count: number,
): Promise<readonly number[] | undefined> {
  try {
    return await bus.read(unitId, address, count);
  } catch (error) {
    if (error instanceof ModbusException) return undefined;
    throw error;
  }
}
