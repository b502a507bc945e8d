const ALL = 750;

/**
 * An inverter whose registers are all 0 but these.
 *
 * @param type its device type
 */
export function registersWith(type: number, more: Readonly<Record<number, number>>): Map<number, number> {
  const registers = new Map(Array.from({ length: ALL }, (_, address) => [address, 0]));
  const serialNumber = [0x3233, 0x3031, 0x3630, 0x3630, 0x3030];
  for (const [index, word] of serialNumber.entries()) registers.set(3 + index, word);
  registers.set(0, type).set(18, 0x0201).set(22, 0x0203);
  for (const [address, value] of Object.entries(more)) registers.set(Number(address), value);
  return registers;
}

/** The word that stands for a negative number. */
export const negative = (value: number): number => 0x10000 + value;

/** A sunny noon: charging, and exporting what is left. */
export const SINGLE = registersWith(3, {
  16: 50_000,
  59: 2,
  150: 2304,
  167: negative(-900),
  169: negative(-900),
  172: negative(-650),
  178: 700,
  182: 1250,
  183: 5312,
  184: 81,
  186: 2500,
  187: 1200,
  190: negative(-2000),
  191: negative(-3765),
  417: 1 << 10,
});
/** Three phases, exporting with the help of the battery. */
export const THREE = registersWith(5, {
  20: 0x86a0,
  21: 1,
  500: 2,
  552: 0b101,
  586: 1152,
  587: 5124,
  588: 64,
  590: 721,
  591: 1409,
  598: 2311,
  625: negative(-1500),
  672: 3000,
  673: 2000,
  690: 0xffff,
});
