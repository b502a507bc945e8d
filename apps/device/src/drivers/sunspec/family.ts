import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import { type ModelHeader, walkChain } from './chain.ts';
import type { ModelValues } from './codec.ts';
import { decode } from './decode.ts';
import { describeUnits } from './described.ts';
import { SunSpecHardware } from './hardware.ts';
import { isMeterAlone, MeterUnit } from './meter-unit.ts';
import { ModelReader } from './model-reader.ts';
import { MODELS } from './models/index.ts';
import { COMMON_ID, findRoles, modelsInUse, type OwnedModel, withOwners } from './roles.ts';
import { planUnits } from './unit-plan.ts';

const DEFAULT_UNIT_ID = 1;

/** SunSpec over Modbus: https://sunspec.org/specifications/ */
export const sunspec: ModbusFamily = {
  name: 'sunspec',
  title: 'SunSpec',
  speaks: 'modbus',
  usualUnit: DEFAULT_UNIT_ID,
  readsMeters: true,
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  // Kostal; SMA; a second and third inverter behind one address; the meter of a Fronius.
  probe: { units: [71, 126, 2, 3, 200], baudRates: [19_200, 115_200] },
  describedUnits: describeUnits(),
  protocols: ['sunspec'],
  decode,
  async open(bus, target) {
    const hardware = await openUnit(bus, target);
    return target.role !== undefined && isMeterAlone(hardware) ? new MeterUnit(hardware) : hardware;
  },
};

async function openUnit(bus: ModbusBus, { unit: unitId = DEFAULT_UNIT_ID }: Target): Promise<Hardware> {
  const chain = await walkChain(bus, unitId);
  const models = await ownedModels(bus, unitId, chain);
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

/** The models that are known here, each with whose it is; only the common ones are read for it. */
async function ownedModels(
  bus: ModbusBus,
  unitId: number,
  chain: readonly ModelHeader[],
): Promise<readonly OwnedModel[]> {
  const models = new Map<ModelHeader, Pick<ModelValues, 'points'>>();
  for (const header of chain.filter(({ id }) => MODELS.has(id))) {
    const frame =
      header.id === COMMON_ID ? await new ModelReader(bus, unitId, [header]).readAll() : undefined;
    models.set(header, frame?.get(header) ?? { points: {} });
  }
  return withOwners(models);
}
