/**
 * The key of the name, an option or a hint of a setting in the catalogue: letters and underscores, `n` for each number.
 *
 * @example settingTextKey('Cell voltage 12') // cell_voltage_n
 */
export function settingTextKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+/g, 'n')
    .replace(/[^a-z]+/g, '_')
    .replace(/^_|_$/g, '');
}

/** The number in a name, of which the catalogue has one text for all; undefined where there is none. */
export function numberIn(name: string): string | undefined {
  return /\d+/.exec(name)?.[0];
}
