/**
 * The flows at a site, in watts: into the battery and from the grid are positive. Null is unknown, undefined is a
 * part that the site does not have.
 */
export interface Flows {
  readonly solar: number | null | undefined;
  readonly load: number | null | undefined;
  readonly grid: number | null | undefined;
  readonly battery: number | null | undefined;
  /** Percent. */
  readonly stateOfCharge: number | null | undefined;
  /** How many batteries the sums are of; undefined is one. */
  readonly batteries?: number | undefined;
  /** How many inverters and chargers the solar power is the sum of; undefined is one. */
  readonly solarUnits?: number | undefined;
}

/** The site has none of them. */
export function isEmpty({ solar, load, grid, battery }: Flows): boolean {
  return [solar, load, grid, battery].every((powerW) => powerW === undefined);
}
