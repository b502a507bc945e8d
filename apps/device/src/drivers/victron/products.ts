/**
 * Names by the number that a product calls itself by, field PID.
 *
 * Sources: https://github.com/softwarecrash/Victron2MQTT and https://github.com/koestler/go-victron (veproduct).
 */
const NAMES: Readonly<Record<number, string>> = {
  515: 'BMV-700',
  516: 'BMV-702',
  517: 'BMV-700H',
  41857: 'BMV-712 Smart',
  41858: 'BMV-710H Smart',
  41859: 'BMV-712 Smart Rev2',
  41865: 'SmartShunt 500A/50mV',
  41866: 'SmartShunt 1000A/50mV',
  41867: 'SmartShunt 2000A/50mV',
  768: 'BlueSolar MPPT 70|15',
  41024: 'BlueSolar MPPT 75|50',
  41025: 'BlueSolar MPPT 150|35',
  41026: 'BlueSolar MPPT 75|15',
  41027: 'BlueSolar MPPT 100|15',
  41028: 'BlueSolar MPPT 100|30',
  41029: 'BlueSolar MPPT 100|50',
  41030: 'BlueSolar MPPT 150|70',
  41031: 'BlueSolar MPPT 150|100',
  41033: 'BlueSolar MPPT 100|50 rev2',
  41034: 'BlueSolar MPPT 100|30 rev2',
  41035: 'BlueSolar MPPT 150|35 rev2',
  41036: 'BlueSolar MPPT 75|10',
  41037: 'BlueSolar MPPT 150|45',
  41038: 'BlueSolar MPPT 150|60',
  41039: 'BlueSolar MPPT 150|85',
  41040: 'SmartSolar MPPT 250|100',
  41041: 'SmartSolar MPPT 150|100',
  41042: 'SmartSolar MPPT 150|85',
  41043: 'SmartSolar MPPT 75|15',
  41044: 'SmartSolar MPPT 75|10',
  41045: 'SmartSolar MPPT 100|15',
  41046: 'SmartSolar MPPT 100|30',
  41047: 'SmartSolar MPPT 100|50',
  41048: 'SmartSolar MPPT 150|35',
  41049: 'SmartSolar MPPT 150|100 rev2',
  41050: 'SmartSolar MPPT 150|85 rev2',
  41051: 'SmartSolar MPPT 250|70',
  41052: 'SmartSolar MPPT 250|85',
  41053: 'SmartSolar MPPT 250|60',
  41054: 'SmartSolar MPPT 250|45',
  41055: 'SmartSolar MPPT 100|20',
  41056: 'SmartSolar MPPT 100|20 48V',
  41057: 'SmartSolar MPPT 150|45',
  41058: 'SmartSolar MPPT 150|60',
  41059: 'SmartSolar MPPT 150|70',
  41060: 'SmartSolar MPPT 250|85 rev2',
  41061: 'SmartSolar MPPT 250|100 rev2',
  41062: 'BlueSolar MPPT 100|20',
  41063: 'BlueSolar MPPT 100|20 48V',
  41064: 'SmartSolar MPPT 250|60 rev2',
  41065: 'SmartSolar MPPT 250|70 rev2',
  41066: 'SmartSolar MPPT 150|45 rev2',
  41067: 'SmartSolar MPPT 150|60 rev2',
  41068: 'SmartSolar MPPT 150|70 rev2',
  41069: 'SmartSolar MPPT 150|85 rev3',
  41070: 'SmartSolar MPPT 150|100 rev3',
  41071: 'BlueSolar MPPT 150|45 rev2',
  41072: 'BlueSolar MPPT 150|60 rev2',
  41073: 'BlueSolar MPPT 150|70 rev2',
  41074: 'BlueSolar MPPT 150|45 rev3',
  41075: 'SmartSolar MPPT 150|45 rev3',
  41076: 'SmartSolar MPPT 75|10 rev2',
  41077: 'SmartSolar MPPT 75|15 rev2',
  41078: 'BlueSolar MPPT 100|30 rev3',
  41079: 'BlueSolar MPPT 100|50 rev3',
  41080: 'BlueSolar MPPT 150|35 rev3',
  41081: 'BlueSolar MPPT 75|10 rev2',
  41082: 'BlueSolar MPPT 75|15 rev2',
  41083: 'BlueSolar MPPT 100|15 rev2',
  41084: 'BlueSolar MPPT 75|10 rev3',
  41085: 'BlueSolar MPPT 75|15 rev3',
  41086: 'SmartSolar MPPT 100|30 12V',
  41087: 'All-In-1 SmartSolar MPPT 75|15 12V',
  41218: 'SmartSolar MPPT VE.Can 150|70',
  41219: 'SmartSolar MPPT VE.Can 150|45',
  41220: 'SmartSolar MPPT VE.Can 150|60',
  41221: 'SmartSolar MPPT VE.Can 150|85',
  41222: 'SmartSolar MPPT VE.Can 150|100',
  41223: 'SmartSolar MPPT VE.Can 250|45',
  41224: 'SmartSolar MPPT VE.Can 250|60',
  41225: 'SmartSolar MPPT VE.Can 250|70',
  41226: 'SmartSolar MPPT VE.Can 250|85',
  41227: 'SmartSolar MPPT VE.Can 250|100',
  41228: 'SmartSolar MPPT VE.Can 150|70 rev2',
  41229: 'SmartSolar MPPT VE.Can 150|85 rev2',
  41230: 'SmartSolar MPPT VE.Can 150|100 rev2',
  41231: 'BlueSolar MPPT VE.Can 150|100',
  41234: 'BlueSolar MPPT VE.Can 250|70',
  41235: 'BlueSolar MPPT VE.Can 250|100',
  41236: 'SmartSolar MPPT VE.Can 250|70 rev2',
  41237: 'SmartSolar MPPT VE.Can 250|100 rev2',
  41238: 'SmartSolar MPPT VE.Can 250|85 rev2',
  41239: 'BlueSolar MPPT VE.Can 150|100 rev2',
};

/** Phoenix inverters: size, voltages and revision are digits of the number. */
const PHOENIX_VA: Readonly<Record<number, number>> = {
  32: 250,
  33: 375,
  34: 500,
  35: 250,
  36: 375,
  37: 500,
  38: 800,
  39: 1200,
  40: 1600,
  41: 2000,
  42: 3000,
};
const PHOENIX_DC: Readonly<Record<number, number>> = { 1: 12, 2: 24, 4: 48 };
const AC_120_V = 8;

/** @param id as the device sends it, such as 0xA05F */
export function productName(id: number): string | undefined {
  return NAMES[id] ?? phoenixName(id);
}

/** The charge current in a solar charger's name, in amperes: `MPPT 100|20` means 100 V and 20 A. */
export function ratedCurrentA(model: string | null): number | undefined {
  const amperes = /MPPT.* \d+\|(\d+)/.exec(model ?? '')?.[1];
  return amperes === undefined ? undefined : Number(amperes);
}

function phoenixName(id: number): string | undefined {
  const va = id >> 12 === 0xa ? PHOENIX_VA[(id >> 4) & 0xff] : undefined;
  const dc = PHOENIX_DC[id & 0x7];
  if (va === undefined || dc === undefined) return undefined;
  return `Phoenix Inverter ${dc}V ${va}VA ${(id & AC_120_V) === 0 ? 230 : 120}V`;
}
