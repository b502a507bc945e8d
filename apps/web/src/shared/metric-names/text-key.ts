/** A name of the hardware in the parts that the catalogue has texts of. */
export interface NameParts {
  /** The key of the name itself, as {@link textKey} makes it. */
  readonly key: string;
  /** Set for an energy of the day, or of all time. */
  readonly period?: 'day' | 'total';
  /** The number of a string, cell or phase, such as `2` or `L2`. */
  readonly number?: string;
}

/** @example namePartsOf('Cell voltage 12') // { key: 'cell_voltage', number: '12' } */
export function namePartsOf(name: string): NameParts {
  const [, period, rest = name] = /^(total|day) (.+)$/i.exec(name) ?? [];
  const [, base = rest, number] = /^(.+) (L?\d+)$/.exec(rest) ?? [];
  return {
    key: textKey(base),
    ...(period !== undefined && { period: period.toLowerCase() === 'day' ? 'day' : 'total' }),
    ...(number !== undefined && { number }),
  };
}

/**
 * The key of a name, a state, an option or a hint in the catalogues: letters and underscores, `n` for each number.
 *
 * @example textKey('Cell voltage - Highest') // cell_voltage_highest
 * @example textKey('Time point 12') // time_point_n
 */
export function textKey(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+/g, 'n')
    .replace(/[^a-z]+/g, '_')
    .replace(/^_|_$/g, '');
}

/** The number in a text, of which the catalogue has one for all; undefined where there is none. */
export function numberIn(text: string): string | undefined {
  return /\d+/.exec(text)?.[0];
}
