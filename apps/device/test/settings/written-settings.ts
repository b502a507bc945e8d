/** A setting of a table of writes, with the frame that is sent. */
export interface WrittenSetting {
  readonly topic: string;
  /** As clients read and write it; without `other` where the hardware has two values only. */
  readonly values: Readonly<Record<'old' | 'new', string>> & { readonly other?: string };
  /** The write as it is on the wire, without framing: hexadecimal for Modbus, else the command. */
  readonly frame: string;
  /** The write of the old value, of hardware that is written a value in force. */
  readonly oldFrame?: string;
  /** The register that has it; left out where it is in none. */
  readonly at?: number;
}

/** A setting in registers, with their contents in each state but the one that is written. */
export interface ModbusSetting extends WrittenSetting {
  readonly at: number;
  readonly contents: Readonly<Record<'old', readonly number[]>> & { readonly other?: readonly number[] };
  /** The unit behind the connection that has it; the only one when left out. */
  readonly unitId?: number;
}

type Content = readonly [value: string, registers: readonly number[]];

const setting = (
  topic: string,
  at: number,
  [old, oldContents]: Content,
  [next, frame]: readonly [value: string, frame: string],
  other?: Content,
): ModbusSetting => ({
  topic,
  at,
  frame: frame.replaceAll(' ', ''),
  values: { old, new: next, ...(other === undefined ? {} : { other: other[0] }) },
  contents: { old: oldContents, ...(other === undefined ? {} : { other: other[1] }) },
});

const ON_OFF = { on: 'Enabled', off: 'Disabled' };

/** A setting of each kind that a family has, by the family's name: number, option, switch, time. */
export const MODBUS_SETTINGS: Readonly<Record<string, readonly ModbusSetting[]>> = {
  deye: [
    setting(
      'inverter_1/max_charge_current',
      210,
      ['120', [120]],
      ['35', '10 00d2 0001 02 0023'],
      ['57', [57]],
    ),
    setting(
      'inverter_1/work_mode',
      244,
      ['Selling first', [0]],
      ['Zero export to CT', '10 00f4 0001 02 0002'],
      ['Zero export to load', [1]],
    ),
    setting('inverter_1/use_timer', 248, ['false', [0xfe]], ['true', '10 00f8 0001 02 00ff']),
    setting(
      'inverter_1/time_point_3',
      252,
      ['00:00:00', [0]],
      ['16:30:00', '10 00fc 0001 02 065e'],
      ['05:05:00', [505]],
    ),
  ],
  'deye-micro': [
    setting(
      'inverter_1/active_power_limit',
      40,
      ['100', [100]],
      ['60', '10 0028 0001 02 003c'],
      ['33', [33]],
    ),
  ],
  'goodwe-et': [
    setting('inverter_1/max_charge_current', 45_353, ['50', [500]], ['60', '06 b129 0258'], ['33', [330]]),
    setting(
      'inverter_1/ems_mode',
      47_511,
      ['Auto', [1]],
      ['Import from grid', '06 b997 0004'],
      ['Charge from PV', [2]],
    ),
  ],
  'growatt-spf': [
    setting('inverter_1/max_charge_current', 34, ['50', [50]], ['60', '06 0022 003c'], ['33', [33]]),
    setting(
      'inverter_1/output_source_priority',
      1,
      ['SBU, battery first', [0]],
      ['Utility first', '06 0001 0002'],
      ['Solar first', [1]],
    ),
  ],
  'growatt-sph': [
    setting('inverter_1/grid_first_discharge_rate', 1070, ['50', [50]], ['60', '06 042e 003c'], ['33', [33]]),
    setting('inverter_1/battery_first_grid_charge', 1092, [ON_OFF.off, [0]], [ON_OFF.on, '06 0444 0001']),
  ],
  'growatt-tl-xh': [
    setting('inverter_1/battery_first_charge_rate', 3047, ['50', [50]], ['60', '06 0be7 003c'], ['33', [33]]),
    setting('inverter_1/battery_first_grid_charge', 3049, [ON_OFF.off, [0]], [ON_OFF.on, '06 0be9 0001']),
  ],
  huawei: [
    setting(
      'inverter_1/max_charge_power',
      47_075,
      ['5000', [0, 5000]],
      ['6000', '10 b7e3 0002 04 00001770'],
      ['3300', [0, 3300]],
    ),
    setting('inverter_1/reserve_capacity', 47_102, ['50', [500]], ['60', '06 b7fe 0258'], ['33', [330]]),
    setting('inverter_1/work_mode', 47_086, ['Self-consumption', [2]], ['Time of use', '06 b7ee 0005']),
  ],
  luxpower: [
    setting('inverter_1/max_charge_rate', 64, ['50', [50]], ['60', '06 0040 003c'], ['33', [33]]),
    setting('inverter_1/grid_charge', 21, [ON_OFF.off, [0x0400]], [ON_OFF.on, '06 0015 0480']),
    setting(
      'inverter_1/grid_charge_slot_1_start',
      68,
      ['00:00:00', [0]],
      ['16:30:00', '06 0044 1e10'],
      ['05:05:00', [0x0505]],
    ),
  ],
  sofar: [
    setting(
      'inverter_1/work_mode',
      4368,
      ['Self use', [0]],
      ['Passive', '10 1110 0001 02 0003'],
      ['Timing', [2]],
    ),
  ],
  solis: [
    setting('inverter_1/reserve_capacity', 43_024, ['50', [50]], ['60', '06 a810 003c'], ['33', [33]]),
    setting(
      'inverter_1/work_mode',
      43_110,
      ['Self use', [0x31]],
      ['Feed-in priority', '06 a866 0070'],
      ['Off grid', [0x34]],
    ),
    setting('inverter_1/use_timer', 43_110, ['false', [0x31]], ['true', '06 a866 0033']),
  ],
  srne: [
    setting('inverter_1/max_charge_current', 57_866, ['50', [500]], ['60', '06 e20a 0258'], ['33', [330]]),
    setting(
      'inverter_1/output_source_priority',
      57_860,
      ['Solar first', [0]],
      ['SBU', '06 e204 0002'],
      ['Utility first', [1]],
    ),
  ],
  // Those that are enabled by a register of their own take a second write: drivers/sunspec/write-setting.test.ts.
  sunspec: [
    {
      ...setting('inverter_1/battery_reserve', 40_155, ['50', [50]], ['60', '06 9cdb 003c'], ['33', [33]]),
      oldFrame: '069cdb0032',
    },
    {
      ...setting(
        'inverter_1/storage_control_mode',
        40_153,
        ['Automatic', [0]],
        ['Limit both', '06 9cd9 0003'],
        ['Limit charge', [1]],
      ),
      oldFrame: '069cd90000',
    },
  ],
  sungrow: [
    setting('inverter_1/reserve_capacity', 13_099, ['50', [50]], ['60', '06 332b 003c'], ['33', [33]]),
    setting(
      'inverter_1/work_mode',
      13_049,
      ['Self-consumption', [0]],
      ['Forced', '06 32f9 0002'],
      ['External EMS', [3]],
    ),
  ],
};

/** A setting in an answer of Voltronic's protocols. */
export interface FieldSetting extends WrittenSetting {
  readonly query: string;
  /** Counted from 0; the whole answer when left out. */
  readonly field?: number;
  readonly contents: Readonly<Record<'old' | 'new', string>> & { readonly other?: string };
}

/** A setting in a register of a VE.Direct port; its contents begin with the low byte. */
export interface RegisterSetting extends WrittenSetting {
  readonly id: number;
  readonly contents: Readonly<Record<'old', readonly number[]>> & { readonly other?: readonly number[] };
}

export const GX_SETTINGS: readonly ModbusSetting[] = [
  {
    ...setting('inverter_1/grid_setpoint', 2700, ['50', [50]], ['60', '06 0a8c 003c'], ['30', [30]]),
    unitId: 100,
  },
  {
    ...setting(
      'inverter_1/ess_mode',
      2902,
      ['ESS with phase compensation', [1]],
      ['External control', '06 0b56 0003'],
      ['ESS without phase compensation', [2]],
    ),
    unitId: 100,
  },
  {
    ...setting('inverter_1/power_mode', 33, ['On', [3]], ['Charger only', '06 0021 0001'], ['Off', [4]]),
    unitId: 227,
  },
];

export const VOLTRONIC_SETTINGS: Readonly<Record<'pi17' | 'pi18' | 'pi30', readonly FieldSetting[]>> = {
  pi17: [
    {
      topic: 'inverter_1/max_charge_current',
      values: { old: '50', new: '60', other: '33' },
      frame: 'MCHGC0600',
      query: 'BATS',
      field: 0,
      contents: { old: '0500', new: '0600', other: '0330' },
    },
    {
      topic: 'inverter_1/solar_power_priority',
      values: { old: 'Battery/Load/Grid', new: 'Load/Battery/Grid', other: 'Load/Grid/Battery' },
      frame: 'SEP01',
      query: 'HECS',
      field: 0,
      contents: { old: '00', new: '01', other: '02' },
    },
  ],
  pi18: [
    {
      topic: 'inverter_1/max_charge_current',
      values: { old: '60', new: '40', other: '20' },
      frame: 'MCHGC0,040',
      query: 'PIRI',
      field: 15,
      contents: { old: '060', new: '040', other: '020' },
    },
    {
      topic: 'inverter_1/charger_source_priority',
      values: { old: 'Solar only', new: 'Solar and utility', other: 'Solar first' },
      frame: 'PCP0,1',
      query: 'PIRI',
      field: 18,
      contents: { old: '2', new: '1', other: '0' },
    },
    {
      topic: 'inverter_1/overload_bypass',
      values: { old: 'Disabled', new: 'Enabled' },
      frame: 'PEB',
      query: 'FLAG',
      field: 1,
      contents: { old: '0', new: '1' },
    },
  ],
  pi30: [
    {
      topic: 'inverter_1/max_charge_current',
      values: { old: '10', new: '40', other: '20' },
      frame: 'MCHGC040',
      query: 'QPIRI',
      field: 14,
      contents: { old: '010', new: '040', other: '020' },
    },
    {
      topic: 'inverter_1/output_source_priority',
      values: { old: 'Utility first', new: 'SBU', other: 'Solar first' },
      frame: 'POP02',
      query: 'QPIRI',
      field: 16,
      contents: { old: '0', new: '2', other: '1' },
    },
    {
      topic: 'inverter_1/buzzer',
      values: { old: 'Disabled', new: 'Enabled' },
      frame: 'PEa',
      query: 'QFLAG',
      contents: { old: 'EbxDajkuvyz', new: 'EabxDjkuvyz' },
    },
  ],
};

export const VE_DIRECT_SETTINGS: readonly RegisterSetting[] = [
  {
    topic: 'inverter_1/max_charge_current',
    values: { old: '15', new: '10', other: '12' },
    frame: ':8F0ED0064000C',
    id: 0xedf0,
    contents: { old: [150, 0], other: [120, 0] },
  },
  {
    topic: 'inverter_1/battery_type',
    values: { old: 'Gel long life 14.1', new: 'LiFePO4 14.2', other: 'Gel 14.3' },
    frame: ':8F1ED000867',
    id: 0xedf1,
    contents: { old: [1], other: [2] },
  },
];
