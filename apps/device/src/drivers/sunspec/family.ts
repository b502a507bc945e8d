import type { ModbusBus } from '../../bus/modbus-bus.ts';
import { type Hardware, type ModbusFamily, NotRecognised, type Target } from '../driver.ts';
import type { ReadBackTime } from '../write-verified.ts';
import { bindModel } from './bound-model.ts';
import { walkChain } from './chain.ts';
import { decode } from './decode.ts';
import { describeUnits } from './described.ts';
import { SunSpecHardware } from './hardware.ts';
import { isMeterAlone, MeterUnit } from './meter-unit.ts';
import { MissingPoints } from './missing-points.ts';
import { ModelReader } from './model-reader.ts';
import { MODELS } from './models/index.ts';
import { COMMON_ID, findRoles, modelsInUse, serialNumberIn, withOwners } from './roles.ts';
import { planUnits } from './unit-plan.ts';

const DEFAULT_UNIT_ID = 1;

/** SunSpec over Modbus: https://sunspec.org/specifications/ */
export const sunspec: ModbusFamily = {
  name: 'sunspec',
  title: 'SunSpec',
  speaks: 'modbus',
  kinds: ['inverters'],
  usualUnit: DEFAULT_UNIT_ID,
  readsMeters: true,
  line: { baudRate: 9_600, parity: 'none', stopBits: 1 },
  // Kostal; SMA; a second and third inverter behind one address; the meter of a Fronius.
  probe: { units: [71, 126, 2, 3, 200], baudRates: [19_200, 115_200] },
  describedUnits: describeUnits(),
  protocols: ['sunspec'],
  decode,
  async open(bus, target, _clock, readBackTime) {
    const hardware = await openSunSpec(bus, target, readBackTime);
    return target.role !== undefined && isMeterAlone(hardware) ? new MeterUnit(hardware) : hardware;
  },
};

export async function openSunSpec(
  bus: ModbusBus,
  { unit: unitId = DEFAULT_UNIT_ID }: Target,
  readBackTime?: ReadBackTime,
): Promise<Hardware> {
  const chain = await walkChain(bus, unitId);
  const models = chain.filter(({ id }) => MODELS.has(id)).map((header) => bindModel(header));
  const common = models.filter(({ header }) => header.id === COMMON_ID);
  const nameplates = await new ModelReader(bus, unitId, common).explore();
  const owned = withOwners(models, nameplates);
  const roles = findRoles(owned);
  const used = modelsInUse(roles).map(({ model }) => model);
  const [first] = owned;
  if (first === undefined || used.length === 0) {
    const ids = chain.map(({ id }) => id).join(', ');
    throw new NotRecognised(`unit ${unitId} speaks SunSpec, but measures nothing known here (models ${ids})`);
  }
  const reader = new ModelReader(bus, unitId, used);
  const opened = await reader.explore();
  return new SunSpecHardware(bus, unitId, {
    reader,
    plans: planUnits(roles, opened, first.owner),
    missing: new MissingPoints(used, opened),
    identityOf: ({ header: { address } }) =>
      serialNumberIn(
        common.findLast(({ header }) => header.address < address),
        nameplates,
      ),
    readBackTime,
  });
}
