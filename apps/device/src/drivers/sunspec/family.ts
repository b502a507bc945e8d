import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { BadRecording } from '../recording.ts';
import { type ModelHeader, walkChain } from './chain.ts';
import { SunSpecHardware } from './hardware.ts';
import { ModelReader } from './model-reader.ts';
import { MODELS } from './models/index.ts';
import { findRoles, type Identity, identityOf, modelsInUse, type OwnedModel } from './roles.ts';
import { planUnits } from './unit-plan.ts';

/** SunSpec over Modbus: https://sunspec.org/specifications/ */
export const sunspec: ModbusFamily = {
  name: 'sunspec',
  title: 'SunSpec',
  speaks: 'modbus',
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  describes: [],
  protocols: ['sunspec'],
  decode: () => {
    throw new BadRecording('SunSpec recordings cannot be decoded');
  },
  open,
};

const DEFAULT_UNIT_ID = 1;

const COMMON_ID = 1;

const NOBODY: Identity = {
  manufacturer: null,
  model: null,
  options: null,
  version: null,
  serialNumber: null,
};

async function open(bus: ModbusBus, { unit: unitId = DEFAULT_UNIT_ID }: Target): Promise<Hardware> {
  const chain = await walkChain(bus, unitId);
  const models = await withOwners(bus, unitId, chain);
  const roles = findRoles(models);
  const used = modelsInUse(roles);
  const [first] = models;
  if (first === undefined || used.length === 0) {
    const ids = chain.map(({ id }) => id).join(', ');
    throw new NotRecognised(`unit ${unitId} speaks SunSpec, but measures nothing known here (models ${ids})`);
  }
  const reader = new ModelReader(
    bus,
    unitId,
    used.map(({ header }) => header),
  );
  const opened = await reader.readAll();
  return new SunSpecHardware(bus, unitId, reader, opened, planUnits(roles, opened, first.owner));
}

/** Gives each model the identity of the common model before it. */
async function withOwners(
  bus: ModbusBus,
  unitId: number,
  chain: readonly ModelHeader[],
): Promise<readonly OwnedModel[]> {
  const models: OwnedModel[] = [];
  let owner = NOBODY;
  for (const header of chain) {
    if (header.id === COMMON_ID) {
      const frame = await new ModelReader(bus, unitId, [header]).readAll();
      owner = identityOf(frame.get(header)?.points ?? {});
    }
    if (MODELS.has(header.id)) models.push({ header, owner });
  }
  return models;
}
